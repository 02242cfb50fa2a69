# Runs inside the container as root. Each step leaves what it saw in /lab/notes. Only what every Debian has is used:
# the container's root is this machine's own.
set -o pipefail
show() { systemctl show "$1" -p ActiveState,SubState,Result,ExecMainStatus,NRestarts,StatusText,MainPID; }
note() { cat > "/lab/notes/$1"; }
until_true() { # condition
    for _ in $(seq 300); do
        eval "$1" && return
        sleep 0.1
    done
    return 1
}
until_restarts() { # count
    until_true "[ \"\$(systemctl show feltd@table7 -p NRestarts,SubState --value | xargs)\" = \"$1 running\" ]"
}

# The user and the directories, as an installer makes them.
install -D -m 644 /lab/feltd.sysusers.conf /usr/lib/sysusers.d/feltd.conf
install -D -m 644 /lab/feltd.tmpfiles.conf /usr/lib/tmpfiles.d/feltd.conf
systemd-sysusers
systemd-tmpfiles --create /usr/lib/tmpfiles.d/feltd.conf
id -Gn feltd | note groups
stat -c '%U:%G %a %n' /etc/feltd /var/lib/feltd | note directories

# The rules for devices; udevadm says what it thinks of each rule while it looks at any device.
install -m 644 /lab/60-feltd.rules /etc/udev/rules.d/60-feltd.rules
udevadm test --action=add /sys/class/tty/tty 2>&1 | note udev

install -m 644 /lab/feltd@.service /lab/feltd-user@.service /lab/feltd.target /etc/systemd/system/
systemctl daemon-reload

# A configuration with a mistake: the unit fails, says why, and is not tried again.
sed 's/^seats = .*/seats = 99/' /lab/feltd.example.toml > /etc/feltd/bad.toml
systemctl start feltd@bad 2>/dev/null && exit 1
sleep 3 # longer than RestartSec, so that a restart would show
show feltd@bad | note bad
journalctl --no-pager -o cat -u feltd@bad | note bad-log

# A good one, of a table that has no journal: it does not begin one, and is tried again.
sed -e 's#^path = .*#path = "/var/lib/feltd/table7/journal.db"#' /lab/feltd.example.toml > /etc/feltd/table7.toml
chown root:feltd /etc/feltd/table7.toml
chmod 640 /etc/feltd/table7.toml
mkdir -p /etc/systemd/system/feltd@table7.service.d
printf '[Service]\nWatchdogSec=3\nTimeoutAbortSec=2\nRestartSec=100ms\n' > /etc/systemd/system/feltd@table7.service.d/quick.conf
systemctl daemon-reload
systemctl start --no-block feltd@table7
until_true 'journalctl -u feltd@table7 | grep -c journal-missing | grep -qv "^[01]$"'
find /var/lib/feltd/table7 -type f | note missing-files
runuser -u feltd-table7 -- /opt/feltd/bin/feltd create-journal --config /etc/feltd/table7.toml
until_true 'systemctl is-active --quiet feltd@table7'
journalctl --no-pager -o cat -u feltd@table7 | note missing-log
systemctl show feltd@table7 -p RequiresMountsFor --value | note waits-for
systemctl stop feltd@table7

# With its journal it is up, without a device and without a broker.
systemctl start feltd@table7
show feltd@table7 | note ready
pid=$(systemctl show feltd@table7 -p MainPID --value)
stat -c %U "/proc/$pid" | note user

# Another table's user may open the same ports. What udev makes of the rule that doctor gives against it.
systemctl start feltd-user@table8
cat > /tmp/rule.py <<'END'
from daemon.tools.doctor.owners import rule_for, tables_users
from drivers.addresses import SerialAddress
print(f"# {' '.join(user.name for user in tables_users())}")
print(rule_for(SerialAddress("/dev/tty"), "feltd-table7"))
END
/opt/feltd/bin/python -I /tmp/rule.py > /etc/udev/rules.d/61-feltd-table7.rules
note own-rule < /etc/udev/rules.d/61-feltd-table7.rules
udevadm test --action=add /sys/class/tty/tty 2>&1 | note own-udev
id -u feltd-table7 | note own-number
stat -c '%U:%G %a' /var/lib/feltd/table7 /var/lib/feltd/table7/journal.db | note journal

# It is fed: longer than the deadline and still the same process.
sleep 5
[ "$(systemctl show feltd@table7 -p MainPID --value)" = "$pid" ]
show feltd@table7 | note fed

# Killed, it comes back on its journal.
kill -KILL "$pid"
until_restarts 1
show feltd@table7 | note killed

# Stopped in its tracks it feeds nobody, and systemd starts another.
kill -STOP "$(systemctl show feltd@table7 -p MainPID --value)"
until_restarts 2
show feltd@table7 | note stuck
journalctl --no-pager -o cat -u feltd@table7 | note log
journalctl --no-pager -o json -u feltd@table7 | note entries

systemctl stop feltd@table7
show feltd@table7 | note stopped

# A table whose password is a credential: checked while it is stopped, refused while it is missing.
sed -e 's#^\#username = .*#username = "table7"#' -e 's#^\#password_credential = .*#password_credential = "mqtt-password"#' \
    -e 's#^path = .*#path = "/var/lib/feltd/secret/journal.db"#' /lab/feltd.example.toml > /etc/feltd/secret.toml
chown root:feltd /etc/feltd/secret.toml
/opt/feltd/bin/feltd doctor --config /etc/feltd/secret.toml | note credential-missing || true
systemctl start feltd@secret 2>/dev/null && exit 1
journalctl --no-pager -o cat -u feltd@secret | note credential-refused
install -m 600 /dev/null /etc/feltd/secret.password
echo 'a secret' > /etc/feltd/secret.password
/opt/feltd/bin/feltd doctor --config /etc/feltd/secret.toml | note credential-there || true
runuser -u feltd-table7 -- cat /etc/feltd/secret.password 2>&1 | note credential-of-others || true

# Within its limits it reaches a serial port and a broker. Its own user has the port, as a group would at a table.
runuser -u feltd -- /opt/feltd/bin/feltd emulate broker --port 1883 &
systemctl start feltd-user@table8
install -d -o feltd-table8 /run/lab
runuser -u feltd-table8 -- /opt/feltd/bin/feltd emulate shuffler --pty /run/lab/shuffler &
sed -e 's#^path = .*#path = "/var/lib/feltd/table8/journal.db"#' -e 's#^name = "table7"#name = "table8"#' \
    -e 's#^address = .*#address = "serial:/run/lab/shuffler"#' /lab/feltd.example.toml > /etc/feltd/table8.toml
chown root:feltd /etc/feltd/table8.toml
install -d -m 750 -o feltd -g feltd /var/lib/feltd/table8 # as a version without feltd-user@ left it
runuser -u feltd-table7 -- mkdir /var/lib/feltd/table9 2>&1 | note directory-of-others || true
runuser -u feltd-table7 -- mv /var/lib/feltd/table7 /var/lib/feltd/gone 2>&1 | note own-directory || true
runuser -u feltd -- /opt/feltd/bin/feltd create-journal --config /etc/feltd/table8.toml
systemctl start feltd@table8
until_true 'journalctl -o cat -u feltd@table8 | grep -q device-up'
until_true 'journalctl -o cat -u feltd@table8 | grep -q broker-there'
until_true 'systemctl show feltd@table8 -p StatusText --value | grep -q "shuffler up; broker up"'
stat -c '%U:%G %a' /var/lib/feltd/table8 | note handed-over
runuser -u feltd-table8 -- cat /var/lib/feltd/table7/journal.db 2>&1 | note journal-of-others || true
systemd-analyze security feltd@table8 --no-pager | note security
systemctl show feltd@table8 -p SystemCallFilter --value | note calls
grep -E '^(VmHWM|Threads):' "/proc/$(systemctl show feltd@table8 -p MainPID --value)/status" | note used

# The page of figures hears the table at the broker, and reads its own password.
install -m 644 /lab/feltd-metrics@.service /etc/systemd/system/
install -m 600 /dev/null /etc/feltd/metrics.password
systemctl daemon-reload
systemctl start feltd-metrics@table8
page='import urllib.request; print(urllib.request.urlopen("http://127.0.0.1:9464/metrics").read().decode())'
until_true '/opt/feltd/bin/python -I -c "$page" 2>/dev/null | grep -q "^feltd_up.*table8.* 1"'
/opt/feltd/bin/python -I -c "$page" | note figures
systemd-analyze security feltd-metrics@table8 --no-pager | note security-of-figures

systemctl reload feltd@table8
until_true 'journalctl -o cat -u feltd@table8 | grep -q "\"reloaded\""'
sed -i 's/^seats = .*/seats = 99/' /etc/feltd/table8.toml
systemctl reload feltd@table8 && exit 1
show feltd@table8 | note hung-up

# The target holds all tables.
systemctl start feltd.target
systemctl stop feltd.target
until_true '! systemctl is-active --quiet feltd@table8'
