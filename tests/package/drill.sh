# A new administrator with two tables, and then everything that can happen to them. Nothing is typed here that the guides do
# not say.
mosquitto_passwd() { command mosquitto_passwd -b "$1" "$2" "password of $2"; } # it asks on the terminal
disk() { # name, size: the journal of table7, which is stopped, moves to a disk of its own
    install -d "/mnt/$1"
    mount -t tmpfs -o "size=$2,mode=700" "$1" "/mnt/$1"
    cp -a /var/lib/feltd/table7/. "/mnt/$1"
    umount --quiet /var/lib/feltd/table7 || rm -r /var/lib/feltd/table7/*
    mount --bind "/mnt/$1" /var/lib/feltd/table7
}

# 1. The package, the broker with TLS, the devices.
echo 'APT::Get::Assume-Yes "true";' > /etc/apt/apt.conf.d/90assume-yes
cp /lab/feltd.deb "/root/$(grep -o 'feltd_0.1.0.*deb' /lab/guide-install-1.sh)"
cp /lab/feltd-next.deb "/root/$(grep -o 'feltd_0.2.0[^ ]*deb' /lab/guide-upgrade-and-back-1.sh)"
cd /root
guide install 1 2>&1 | note installed
feltd files /root/feltd-files > /dev/null
cd /root/feltd-files
guide the-broker 1
guide the-broker 2
guide the-broker 3
machine table7
machine table8

# Meanwhile somebody in the workshop tries a device of its own.
install -d /root/workshop
sed 's#^address = .*#address = "serial:/root/workshop/tty"#' /root/feltd-files/systemd/feltd.example.toml > /root/workshop/table7.toml
(
    cd /root/workshop
    feltd emulate shuffler --pty tty --auto-dealer --speed 0 > /dev/null &
    until_true '[ -e tty ]'
    guide selftest-does-this-very-device-keep-its-promises 1 < /dev/null 2>&1 | note selftest
) &
workshop=$!

# 2. Two tables, by the questions of feltd setup. The first doctor finds the broker's list empty.
ports=$(/opt/feltd/bin/python -I -c 'from daemon.tools.setup.found import serial_addresses; print(len(serial_addresses()))')
set_up() { # table, what is answered about people
    {
        printf '%s\n' harbour "$1" '' '' ''
        [ "$ports" = 0 ] || echo n
        printf '%s\n' "serial:/run/lab/$1/shuffler" "$BROKER" '' '' "$CA" "$1" "password of $1" "${@:2}"
    } | guide setup-a-new-table 1
}
set_up table7 '' ana-diaz 2>&1 | note set-up-table7 || true
cat >> /etc/feltd/people.toml <<'END'
[people.table7-witness]
role = "collector"
tables = ["*"]
[people.table8-witness]
role = "collector"
tables = ["*"]
END
guide the-broker 3 table8
set_up table8 '' 2>&1 | note set-up-table8 || true
for user in table7-dealer table8-dealer ana-diaz metrics table7-witness table8-witness table7-display page; do
    mosquitto_passwd /etc/mosquitto/feltd.passwd "$user"
done
guide the-broker 4
for table in table7 table8; do
    feltd doctor --config "/etc/feltd/$table.toml" 2>&1 | note "doctor-$table"
    guide_until a-new-table 1 "$table" "grep -q table-started /lab/notes/typed-a-new-table-$table"
done
guide sign-the-journal 1
printf '\n[log]\nlevel = "debug"\n' >> /etc/feltd/table7.toml
guide a-changed-file 1
until_true 'journalctl -o cat -u feltd@table7 | grep -q "\"reloaded\""'
witness heard
sleep 1 # both sessions are there before the first round
deal table7 2
deal table8 2
until_true 'status table7 | grep -q "shuffler up; broker up"'
status table7 | note status
echo "$SECONDS" | note seconds-to-two-tables-that-play

# 3. Watched, and on screens.
systemctl status feltd@table7 | note status-shown
journalctl -u feltd@table7 | note log
systemd-analyze security feltd@table7 | note security
systemctl enable feltd.target
cd /root/feltd-files
as_said() { echo 'password of metrics' > /etc/feltd/metrics.password; }
as_said
until_both_are_up() { until_true '[ "$(curl --silent http://127.0.0.1:9464/metrics | grep -c "^feltd_up.* 1")" = 2 ]'; }
guide_until metrics-all-tables-in-prometheus 1 table7 until_both_are_up
guide prometheus-and-grafana 1 2>&1 | note figures
until_both_are_up
install -m 600 /dev/null /etc/feltd/table7-display.password
echo 'password of table7-display' > /etc/feltd/table7-display.password
check() { guide check-a-table-in-nagios-or-icinga 1; }
check | note checked
as_said() {
    [ ! -e /etc/feltd/page.password ] || echo 'password of page' > /etc/feltd/page.password
    sed -i -e "s/^#host = \"localhost\"/host = \"$BROKER\"/" -e "s/^#port = 1883/port = $PORT/" \
        -e 's/^#\[mqtt.tls\]/[mqtt.tls]/' -e 's/^#ca_file/ca_file/' /etc/feltd/page.toml
}
guide the-screens 1
curl --silent --retry 9 --retry-connrefused http://localhost:8050/ | note page
until_true '[ "$(systemctl is-active feltd-page)" = active ]'
as_said() { sed -i 's/^#journals/journals/' /etc/feltd/page.toml; }
guide the-screens 2
until_true 'status table7 | grep -q "shuffler up; broker up"'
shown() { curl --silent --compressed --retry 9 --retry-connrefused "http://localhost:8050/tables/table7/rounds${1-}"; }
until_true '[ "$(systemctl is-active feltd-page)" = active ] && shown | grep -q "^\["'
deal table7 1
until_true 'shown | grep -q round-settled'
settled=$(shown | grep -o 'table7-[0-9]*"[^}]*round-settled' | grep -o '^table7-[0-9]*' | head -n 1)
shown "/$settled/steps" | note steps
stat -c '%U:%G %a' /var/lib/feltd/table7 /var/lib/feltd/table7/journal.db* | sort -u | note shown-journal
runuser -u feltd-table8 -- ls /var/lib/feltd/table7 2>&1 | note shown-to-others || true

# 4. The disk is full in the middle of a round. Its newest file, with what lies beside it, goes to a larger disk.
systemctl stop feltd@table7
disk small 8m
systemctl start feltd@table7
deal table7 0 reconciling
dd if=/dev/zero of=/var/lib/feltd/table7/full bs=64k 2> /dev/null || true
deal table7 1000 > /lab/notes/dealer-at-a-full-disk 2>&1 &
dealer=$!
until_true 'journalctl -o cat -u feltd@table7 | grep -q status=74'
kill "$dealer" || true
systemctl stop feltd@table7
journalctl -o cat -u feltd@table7 | grep journal- | tail -n 1 | note full
rm /var/lib/feltd/table7/full
disk large 64m
systemctl start feltd@table7
until_true 'status table7 | grep -q "shuffler up; broker up"'
deal table7 1

# 5. A backup while it plays, a round more, and the disk dies with everything on it.
cd /var/lib/feltd/table7
deal table7 0 reconciling
feltd journal backup journal.db /root/monday.db | note backup
stat -c %U /var/lib/feltd/table7/* | sort -u | note owners
deal table7 2
cd /
sleep 1 # what was published is with the witness
systemctl kill --kill-who=main --signal=KILL feltd@table7 # of the whole group it can fail while the first process goes
umount --lazy /var/lib/feltd/table7
until_true 'journalctl -o cat -u feltd@table7 | grep -q journal-missing'
systemctl stop feltd@table7
cp /root/monday.db /root/copy.db
bash -e "$(guide_for restore-a-journal 1)" 2>&1 | note refused || true
known=$(check | grep -o 'rounds=[0-9]*') || true # it is critical: the daemon does not run
sed -i "s/ --because/ --last-round ${known#rounds=}&/" /lab/guide-restore-a-journal-1.sh
guide restore-a-journal 1
until_true 'status table7 | grep -q "shuffler up; broker up"'
status table7 | note restored
person table7 ask ana-diaz void-round '{"reason": "the disk died in it"}' "$(status table7 | grep -o 'table7-[0-9]*')" || true
deal table7 1

# 6. Upgrade in mid-round: the tables play on, and restart between two rounds. Then the way back.
main_pid() { systemctl show "feltd@$1" -p MainPID --value; }
version_of() { journalctl -o cat -u "feltd@$1" | grep table-started | tail -n 1; }
turn=0
for package in feltd-next.deb feltd.deb; do
    turn=$((turn + 1))
    deal table7 0 reconciling
    deal table8 0 reconciling
    before=$(main_pid table7)
    cd /root
    if [ "$turn" = 1 ]; then guide upgrade-and-back 1 table7 1; else guide upgrade-and-back 1 table7 2; fi 2>&1 | note "installed-$package"
    journalctl -u 'feltd@*' -g stop-waits-for-the-round | note "waited-$package"
    sleep 3 # longer than RestartSec
    [ "$(main_pid table7)" = "$before" ]
    deal table7 1
    deal table8 1
    until_true "[ \"\$(main_pid table7)\" != $before ]"
    until_true 'status table7 | grep -q "shuffler up; broker up"'
    until_true 'status table8 | grep -q "shuffler up; broker up"'
    version_of table7 | note "version-$package"
done
deal table7 1
deal table8 1
before=$(main_pid table7)
systemctl kill --kill-who=main --signal=USR1 feltd@table7
until_true "[ \"\$(main_pid table7)\" != $before ]"
systemctl restart feltd.target
until_true 'status table7 | grep -q "shuffler up; broker up"'
until_true 'status table8 | grep -q "shuffler up; broker up"'

# 7. A technician records the line. Then the move to another machine. The broker moves, too.
wait "$workshop"
guide_until read-a-capture 1 table7 '[ "$(feltd decode night.capture 2> /dev/null | grep -c hello)" -gt 0 ]'
sleep 1
systemctl stop feltd.target
for table in table7 table8; do
    journalctl -o cat -u "feltd@$table" | grep -c '"level": "error"' | note "errors-$table" || true
done
systemctl stop mosquitto
tar --create --file=/lab/notes/moved.tar /etc/feltd /var/lib/feltd /etc/mosquitto /var/lib/mosquitto /etc/systemd/system/feltd@table7.service.d /root/table7-public.pem
