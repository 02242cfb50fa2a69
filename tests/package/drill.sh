# A new administrator with two tables, and then everything that can happen to them. /lab/guide has the commands of
# systemd/README.md, by section and block; nothing is typed here that the guides do not say.
guide() { sed "s/table7/${3:-table7}/g" "/lab/guide-$1-$2.sh" > /run/guide.sh && . /run/guide.sh; } # section, block, table
mosquitto_passwd() { command mosquitto_passwd -b "$1" "$2" "password of $2"; } # it asks on the terminal
disk() { # name, size: the journal of table7, which is stopped, moves to a disk of its own
    install -d "/mnt/$1"
    mount -t tmpfs -o "size=$2,mode=700" "$1" "/mnt/$1"
    cp -a /var/lib/feltd/table7/. "/mnt/$1"
    umount --quiet /var/lib/feltd/table7 || rm -r /var/lib/feltd/table7/*
    mount --bind "/mnt/$1" /var/lib/feltd/table7
}

# 1. The package, the broker with TLS, the devices.
apt-get -y install /lab/feltd.deb 2>&1 | note installed
feltd files /root/feltd-files > /dev/null
cd /root/feltd-files
guide the-broker 1
guide the-broker 2
guide the-broker 3
machine table7
machine table8

# 2. Two tables, by the questions of feltd setup. The first doctor finds the broker's list empty.
ports=$(/opt/feltd/bin/python -I -c 'from daemon.tools.setup.found import serial_addresses; print(len(serial_addresses()))')
set_up() { # table, what is answered about people
    {
        printf '%s\n' harbour "$1" '' '' ''
        [ "$ports" = 0 ] || echo n
        printf '%s\n' "serial:/run/lab/$1/shuffler" "$BROKER" '' '' "$CA" "$1" "password of $1" "${@:2}"
    } | feltd setup
}
set_up table7 '' ana-diaz 2>&1 | note set-up-table7 || true
cat >> /etc/feltd/people.toml <<'END'
[people.table7-witness]
role = "collector"
tables = ["*"]
[people.table8-witness]
role = "collector"
tables = ["*"]
[people.icinga]
role = "display"
tables = ["*"]
END
guide the-broker 3 table8
set_up table8 '' 2>&1 | note set-up-table8 || true
for user in table7-dealer table8-dealer ana-diaz metrics table7-witness table8-witness icinga; do
    mosquitto_passwd /etc/mosquitto/feltd.passwd "$user"
done
guide the-broker 4
for table in table7 table8; do
    feltd doctor --config "/etc/feltd/$table.toml" 2>&1 | note "doctor-$table"
    guide a-new-table 1 "$table"
done
witness heard
sleep 1 # both sessions are there before the first round
deal table7 2
deal table8 2
until_true 'status table7 | grep -q "shuffler up; broker up"'
status table7 | note status

# 3. Watched.
echo 'password of metrics' > /run/metrics.password
echo 'password of icinga' > /run/icinga.password
install -m 600 /run/metrics.password /etc/feltd/metrics.password
systemctl enable --now feltd-metrics@table7
page='import urllib.request; print(urllib.request.urlopen("http://127.0.0.1:9464/metrics").read().decode())'
until_true '[ "$(/opt/feltd/bin/python -I -c "$page" 2>/dev/null | grep -c "^feltd_up.* 1")" = 2 ]'
feltd check --config /etc/feltd/table7.toml --user icinga --password-file /run/icinga.password 2>&1 | note checked

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
systemctl kill --signal=KILL feltd@table7
umount --lazy /var/lib/feltd/table7
until_true 'journalctl -o cat -u feltd@table7 | grep -q journal-missing'
systemctl stop feltd@table7
install -o feltd-table7 -g feltd -m 600 /root/monday.db /var/lib/feltd/table7/journal.db
bash -e /lab/guide-restore-a-journal-1.sh 2>&1 | note refused || true
known=$(feltd check --config /etc/feltd/table7.toml --user icinga --password-file /run/icinga.password | grep -o 'rounds=[0-9]*') || true # it is critical: the daemon does not run
sed -i "s/ --because/ --last-round ${known#rounds=}&/" /lab/guide-restore-a-journal-1.sh
guide restore-a-journal 1
until_true 'status table7 | grep -q "shuffler up; broker up"'
status table7 | note restored
person table7 ask ana-diaz void-round '{"reason": "the disk died in it"}' "$(status table7 | grep -o 'table7-[0-9]*')" || true
deal table7 1

# 6. Upgrade in mid-round: the tables play on, and restart between two rounds. Then the way back.
main_pid() { systemctl show "feltd@$1" -p MainPID --value; }
version_of() { journalctl -o cat -u "feltd@$1" | grep table-started | tail -n 1; }
for package in feltd-next.deb feltd.deb; do
    deal table7 0 reconciling
    deal table8 0 reconciling
    before=$(main_pid table7)
    apt-get -y --allow-downgrades install "/lab/$package" 2>&1 | note "installed-$package"
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

# 7. What the move to another machine takes along. The broker moves, too.
sleep 1
systemctl stop feltd.target
for table in table7 table8; do
    journalctl -o cat -u "feltd@$table" | grep -c '"level": "error"' | note "errors-$table" || true
done
systemctl stop mosquitto
tar --create --file=/lab/notes/moved.tar /etc/feltd /var/lib/feltd /etc/mosquitto /var/lib/mosquitto
