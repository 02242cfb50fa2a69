# Runs inside the container as root. Each step leaves what it saw in /lab/notes.
show() { systemctl show "$1" -p ActiveState,SubState,Result,ExecMainStatus,NRestarts,StatusText,MainPID; }
note() { cat > "/lab/notes/$1"; }

# The user and the directories, as an installer makes them.
install -D -m 644 /lab/feltd.sysusers.conf /usr/lib/sysusers.d/feltd.conf
install -D -m 644 /lab/feltd.tmpfiles.conf /usr/lib/tmpfiles.d/feltd.conf
systemd-sysusers
systemd-tmpfiles --create /usr/lib/tmpfiles.d/feltd.conf
id -Gn feltd | note groups
stat -c '%U:%G %a %n' /etc/feltd /var/lib/feltd | note directories

# The rules for devices; udevadm says what it thinks of each rule while it looks at any device.
install -m 644 /lab/60-feltd.rules /etc/udev/rules.d/60-feltd.rules
sed 's/^#ACTION/ACTION/' /lab/60-feltd.rules > /etc/udev/rules.d/61-feltd-usb.rules
udevadm test --action=add /sys/class/tty/tty 2>&1 | note udev

install -m 644 /lab/feltd@.service /etc/systemd/system/feltd@.service
systemctl daemon-reload

# A configuration with a mistake: the unit fails, says why, and is not tried again.
sed 's/^seats = .*/seats = 99/' /lab/feltd.example.toml > /etc/feltd/bad.toml
systemctl start feltd@bad 2>/dev/null && exit 1
sleep 3 # longer than RestartSec, so that a restart would show
show feltd@bad | note bad
journalctl --no-pager -o cat -u feltd@bad | note bad-log
