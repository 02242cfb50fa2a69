# A table without the package and without `feltd setup`: from the project's folder, by hand. Then the next version, and back.
tree() { # folder, version: the project as it is cloned
    mkdir "/root/$1"
    tar --extract --file=/lab/project.tar --directory="/root/$1"
    sed -i "s/^version = .*/version = \"$2\"/" "/root/$1/pyproject.toml"
}
tar --extract --file=/lab/wheels.tar --directory=/root
export PIP_NO_INDEX=1 PIP_FIND_LINKS=/root/wheels # in the place of the house's own index
tree feltd 0.1.0
tree feltd-next 0.2.0
udevadm() { :; } # a container has no udev; test-container has it read the rules
cd /root/feltd
guide install 2 2>&1 | note installed
feltd --version | note version

# What the table's broker and its shuffler are: emulated ones, the shuffler in a folder that the unit sees.
feltd emulate broker --port 1883 > /dev/null &
useradd --groups dialout visitor
(
    USER=visitor
    sudo() { "$@"; } # a machine without it has a person who is root
    feltd() { exec runuser -u visitor -- /usr/local/bin/feltd "$@"; }
    guide ports 1
) > /lab/notes/shuffler &
as_said() {
    sed -i -e 's#^address = .*#address = "serial:/run/feltd-bench/shuffler"#' -e 's|^#file = .*|file = "people.toml"|' /etc/feltd/table7.toml
}
guide a-new-table 2
until_true '[ -e /run/feltd-bench/shuffler ]'
guide_until a-new-table 1 table7 'status table7 | grep -q "betting.*shuffler up; broker up"'

# The next version comes while a stake lies on the table, which plays on; then back.
export BROKER=127.0.0.1 PORT=1883
unset CA
stake() { person table7 ask table7-dealer bet '{"seat": 1, "wager": "range", "stake_cents": 500}' table7-1; }
restarted() { # version
    journalctl -o cat -u feltd@table7 | grep table-started | tail -n 1 | grep -q "\"$1 "
}
for step in feltd-next:0.2.0 feltd:0.1.0; do
    stake
    pid=$(systemctl show feltd@table7 -p MainPID --value)
    cd "/root/${step%:*}"
    guide upgrade-and-back 2 2>&1 | note "upgraded-${step%:*}"
    until_true "[ \$(journalctl -o cat -u feltd@table7 _PID=$pid | grep -c stop-waits-for-the-round) = 1 ]"
    [ "$(systemctl show feltd@table7 -p MainPID --value)" = "$pid" ]
    person table7 ask table7-dealer clear-bets '{"seat": 1}' table7-1
    until_true "restarted ${step#*:}"
    until_true 'status table7 | grep -q "betting.*shuffler up; broker up"'
    status table7 | note "status-${step%:*}"
done
systemctl stop feltd.target
feltd journal verify /var/lib/feltd/table7/journal.db | note verified
