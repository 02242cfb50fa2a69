# What both machines of the drill do alike. Runs inside a container as root.
set -o pipefail
note() { cat > "/lab/notes/$1"; }
until_true() { # condition
    for _ in $(seq 600); do
        eval "$1" && return
        sleep 0.1
    done
    return 1
}
status() { systemctl show "feltd@$1" -p StatusText --value; }
export BROKER=broker.harbour.example PORT=8883 CA=/etc/feltd/ca.pem
person() { BASE=felt/v1/harbour/$1 /opt/feltd/bin/python -I /lab/person.py "${@:2}"; }
deal() { person "$1" deal "$1-dealer" "${@:2}"; } # table, rounds, and a phase in which the round after them is left
witness() { # hears every event of both tables, in a session that the broker keeps
    for table in table7 table8; do
        stdbuf -oL mosquitto_sub -h "$BROKER" -p "$PORT" --cafile "$CA" -V 5 -c -x 86400 -q 1 -i "$table-witness" -u "$table-witness" -P "password of $table-witness" \
            -t "felt/v1/harbour/$table/event/+" -F %p >> "/lab/notes/$table-$1" &
    done
}
machine() { # table: its emulated shuffler, with a dealer's hands
    systemctl start "feltd-user@$1"
    install -d -m 755 /run/lab
    install -d -o "feltd-$1" "/run/lab/$1"
    runuser -u "feltd-$1" -- feltd emulate shuffler --pty "/run/lab/$1/shuffler" --auto-dealer --speed 0 --serial "$1" > "/lab/notes/$1-shuffler" &
    until_true "[ -e /run/lab/$1/shuffler ]"
}
echo "127.0.0.1 $BROKER" >> /etc/hosts
