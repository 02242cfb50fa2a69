# Runs inside the container as root, where no feltd is installed: the package comes, is upgraded in a round, and goes.
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
ask() { /opt/feltd/bin/python -I /lab/ask.py "$@"; }

dpkg --install /lab/feltd.deb | note installed
feltd --version | note version
gzip -cd /usr/share/man/man1/feltd-run.1.gz | note manual
find /opt/feltd -name '*.pyc' -newer /lab/feltd.deb | note compiled-here

# A table with an emulated shuffler and a broker.
runuser -u feltd -- feltd emulate broker --port 1883 &
runuser -u feltd -- feltd emulate shuffler --pty /var/lib/feltd/shuffler &
sed -e 's#^address = .*#address = "serial:/var/lib/feltd/shuffler"#' -e 's#^\#file = .*#file = "people.toml"#' \
    /usr/share/doc/feltd/examples/feltd.example.toml > /etc/feltd/table7.toml
cp /usr/share/doc/feltd/examples/people.example.toml /etc/feltd/people.toml
chown root:feltd /etc/feltd/*.toml
runuser -u feltd -- mkdir -m 750 /var/lib/feltd/table7
runuser -u feltd -- feltd create-journal --config /etc/feltd/table7.toml
systemctl start feltd@table7
until_true "ask table7-dealer bet '{\"seat\": 1, \"wager\": \"range\", \"stake_cents\": 500}'"

# The upgrade leaves the round alone, and says so.
pid=$(systemctl show feltd@table7 -p MainPID --value)
dpkg --install /lab/feltd.deb 2>&1 | note upgraded
until_true 'journalctl -o cat -u feltd@table7 | grep -q stop-waits-for-the-round'
sleep 3 # longer than RestartSec, so that a restart would show
[ "$(systemctl show feltd@table7 -p MainPID --value)" = "$pid" ]
show feltd@table7 | note waiting

# The round ends, and the table restarts.
round=$(systemctl show feltd@table7 -p StatusText --value | grep -o 'table7-[0-9]*')
ask ana-diaz void-round '{"reason": "an upgrade is tried"}' "$round"
ask table7-dealer press '{"button": "next"}' "$round" # the stake is back
until_true '[ "$(systemctl show feltd@table7 -p NRestarts,SubState --value | xargs)" = "1 running" ]'
show feltd@table7 | note restarted

# Removed, it leaves what is the house's.
dpkg --remove feltd 2>&1 | note removed
systemctl is-active feltd@table7 | note after || true
dpkg --purge feltd 2>&1 | note purged
find /opt/feltd /etc/feltd /var/lib/feltd -type f | sort | note left || true
