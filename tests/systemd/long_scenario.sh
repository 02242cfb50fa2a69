# Runs inside the container as root: a table on a journal of ten million records is crashed, upgraded, rolled back and
# restarted under its real unit, in the middle of a round. A table on a short journal beside it shows what a start costs
# anyway. Then the disk of the short one fails in the ways of a disk.
set -o pipefail
note() { cat > "/lab/notes/$1"; }
until_true() { # condition
    for _ in $(seq 600); do
        eval "$1" && return
        sleep 0.1
    done
    return 1
}
started() { # note: how the table was started, how long that took, and what its process had read by then
    unit=$1
    pid=$(systemctl show "$unit" -p MainPID --value)
    {
        systemctl show "$unit" -p SubState,NRestarts,StatusText,ExecMainStartTimestampMonotonic,ActiveEnterTimestampMonotonic
        echo "CpuTicks=$(sed 's/.*) //' "/proc/$pid/stat" | awk '{ print $12 + $13 }')"
        echo "ReadBytes=$(awk '/^rchar/ { print $2 }' "/proc/$pid/io")"
        echo "Version=$(journalctl -o cat -u "$unit" | grep table-started | tail -n 1)"
    } | note "$2"
}
restarts() { systemctl show "$1" -p NRestarts,SubState --value | xargs; }

install -D -m 644 /lab/feltd.sysusers.conf /usr/lib/sysusers.d/feltd.conf
install -D -m 644 /lab/feltd.tmpfiles.conf /usr/lib/tmpfiles.d/feltd.conf
systemd-sysusers
systemd-tmpfiles --create /usr/lib/tmpfiles.d/feltd.conf
install -m 644 /lab/feltd@.service /lab/feltd-user@.service /lab/feltd.target /etc/systemd/system/
systemctl daemon-reload
install -m 644 /lab/release-people.toml /etc/feltd/people.toml
configured() { # unit's table, journal
    sed -e "s#^path = .*#path = \"$2\"#" -e "s#/run/feltd-bench/#/run/lab/#" /lab/release.toml > "/etc/feltd/$1.toml"
    chown root:feltd "/etc/feltd/$1.toml"
}

# The next version: the same program under another commit, laid over the installed one.
mkdir -p /run/over/upper /run/over/work /run/next
mount -t tmpfs next /run/over
mkdir -p /run/over/upper /run/over/work
mount -t overlay next -o lowerdir=/opt/feltd,upperdir=/run/over/upper,workdir=/run/over/work /run/next
built=$(echo /run/next/lib/python3*/site-packages/daemon)/built.json
echo '{"commit": "next", "day": "2030-01-01"}' > "$built"

# The long journal lies on a disk, and the unit's own directory is there.
mkdir -p /var/lib/feltd/long /var/lib/feltd/short
mount --bind /lab/long /var/lib/feltd/long
mount -t tmpfs -o size=4m short /var/lib/feltd/short
mv /lab/short.db /var/lib/feltd/short/journal.db
for table in long short; do
    systemctl start "feltd-user@$table"
    chown -R "feltd-$table:feltd" "/var/lib/feltd/$table"
    chmod 600 "/var/lib/feltd/$table/journal.db"
    configured "$table" "/var/lib/feltd/$table/journal.db"
    systemctl start "feltd@$table"
    started "feltd@$table" "$table-first"
    systemctl restart "feltd@$table"
    started "feltd@$table" "$table-restarted"
    systemctl kill --signal KILL "feltd@$table"
    until_true "[ \"\$(restarts feltd@$table)\" = '1 running' ]"
    started "feltd@$table" "$table-crashed"
    mount --bind /run/next /opt/feltd
    systemctl restart "feltd@$table"
    started "feltd@$table" "$table-upgraded"
    umount --lazy /opt/feltd # the daemon that runs is of it
    systemctl restart "feltd@$table"
    started "feltd@$table" "$table-rolled-back"
done
systemctl stop feltd@long
/opt/feltd/bin/feltd journal rounds --last 1 /var/lib/feltd/long/journal.db | note last-round

# What a disk does to a table that runs. A shuffler that comes up is what the table has to write down.
install -d -o feltd-short /run/lab
mkdir /run/sound
cp -a /var/lib/feltd/short/. /run/sound/
says_why() { # note, what happens to the disk while the table runs
    systemctl stop feltd@short
    rm -rf /var/lib/feltd/short/*
    cp -a /run/sound/. /var/lib/feltd/short/
    systemctl reset-failed feltd@short || true
    since=$(journalctl -n 0 --show-cursor -q | sed 's/^-- cursor: //')
    systemctl start feltd@short
    eval "$2"
    runuser -u feltd-short -- /opt/feltd/bin/feltd emulate shuffler --pty /run/lab/shuffler &
    shuffler=$!
    until_true "journalctl -o cat --after-cursor '$since' -u feltd@short | grep -q status=74"
    journalctl -o cat --after-cursor "$since" -u feltd@short | note "$1"
    kill $shuffler
    wait $shuffler || true
}
systemctl stop feltd@short
rm -rf /run/sound/*
cp -a /var/lib/feltd/short/. /run/sound/
says_why removed 'rm /var/lib/feltd/short/journal.db'
says_why cut-short 'truncate -s 8192 /var/lib/feltd/short/journal.db'
says_why full 'dd if=/dev/zero of=/var/lib/feltd/short/filled bs=4k 2>/dev/null || true'
rm -f /var/lib/feltd/short/filled
systemctl stop feltd@short
rm -rf /var/lib/feltd/short/*
cp -a /run/sound/. /var/lib/feltd/short/
systemctl start feltd@short
started feltd@short sound-again
