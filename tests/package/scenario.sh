# Runs inside the container as root, where no feltd is installed: the package comes, is upgraded and rolled back in rounds,
# and goes.
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
ask() { /opt/feltd/bin/python -I /lab/person.py ask "$@"; }
status() { systemctl show "$1" -p StatusText --value; }
until_restarts() { # count
    until_true "[ \"\$(systemctl show feltd@table7 -p NRestarts,SubState --value | xargs)\" = \"$1 running\" ]"
}
configured() { # configuration, table, with the emulated shuffler
    sed -e 's#^address = .*#address = "serial:/run/lab/shuffler"#' -e 's#^port = .*#port = 1883#' -e "s#^\#file = .*#file = \"people.toml\"#" \
        -e "s#^path = .*#path = \"/var/lib/feltd/$2/journal.db\"#" "$1" > "/etc/feltd/$2.toml"
    chown root:feltd "/etc/feltd/$2.toml"
    install -d -m 750 -o feltd -g feltd "/var/lib/feltd/$2"
}
version_of() { journalctl -o cat -u "$1" | grep table-started | tail -n 1; }

apt-get -y install /lab/feltd.deb 2>&1 | note installed
feltd --version | note version
gzip -cd /usr/share/man/man1/feltd-run.1.gz | note manual
find /opt/feltd -name '*.pyc' -newer /lab/feltd.deb | note compiled-here

# A table with an emulated shuffler and a broker.
runuser -u feltd -- feltd emulate broker --port 1883 &
systemctl start feltd-user@table7 feltd-user@table1
install -d -o feltd-table7 /run/lab
runuser -u feltd-table7 -- feltd emulate shuffler --pty /run/lab/shuffler &
configured /usr/share/doc/feltd/examples/feltd.example.toml table7
cp /usr/share/doc/feltd/examples/people.example.toml /etc/feltd/people.toml
runuser -u feltd -- feltd create-journal --config /etc/feltd/table7.toml
systemctl start feltd@table7
until_true 'status feltd@table7 | grep -q "betting.*shuffler up"'
stake='{"seat": 1, "wager": "range", "stake_cents": 500}'
ask table7-dealer bet "$stake" table7-1

# The upgrade leaves the round alone, and says so.
pid=$(systemctl show feltd@table7 -p MainPID --value)
apt-get -y install /lab/feltd-next.deb 2>&1 | note upgraded
until_true 'journalctl -o cat -u feltd@table7 | grep -q stop-waits-for-the-round'
sleep 3 # longer than RestartSec, so that a restart would show
[ "$(systemctl show feltd@table7 -p MainPID --value)" = "$pid" ]
show feltd@table7 | note waiting

# The stake goes back, and the table restarts with the new version.
ask table7-dealer clear-bets '{"seat": 1}' table7-1
until_restarts 1
show feltd@table7 | note restarted
until_true 'status feltd@table7 | grep -q "betting, round table7-1; shuffler up; broker up"'
version_of feltd@table7 | note version-upgraded

# The way back, in the middle of a deal and at once: the version before continues the round on the journal of the next.
ask table7-dealer bet "$stake" table7-1
until_true "ask table7-dealer press '{\"button\": \"green\"}'" # when the deck is shuffled
until_true 'status feltd@table7 | grep -q "dealing, round table7-1"'
apt-get -y --allow-downgrades install /lab/feltd.deb 2>&1 | note rolled-back
systemctl restart feltd@table7
until_true 'status feltd@table7 | grep -q "shuffler up; broker up"'
status feltd@table7 | note continued
version_of feltd@table7 | note version-rolled-back
ask ana-diaz void-round '{"reason": "a rollback is tried"}' table7-1
ask table7-dealer press '{"button": "next"}'
systemctl stop feltd@table7

# A table whose journal a daemon of the last release wrote, up to the middle of a round.
configured /lab/release.toml table1
cp /etc/feltd/people.toml /lab/people.site.toml
install -m 644 /lab/release-people.toml /etc/feltd/people.toml
install -o feltd -g feltd -m 600 /lab/release.db /var/lib/feltd/table1/journal.db
systemctl start feltd@table1
until_true 'status feltd@table1 | grep -q "shuffler up; broker up"'
status feltd@table1 | note of-release
BASE=felt/v1/bench/table1 ask bench-supervisor void-round '{"reason": "a journal of the last release"}' "$(cat /lab/release-round.txt)"
systemctl stop feltd@table1
cp /lab/people.site.toml /etc/feltd/people.toml
systemctl start feltd@table7

# Removed, it leaves what is the house's.
dpkg --remove feltd 2>&1 | note removed
systemctl is-active feltd@table7 | note after || true
dpkg --purge feltd 2>&1 | note purged
find /opt/feltd /etc/feltd /var/lib/feltd -type f | sort | note left || true
