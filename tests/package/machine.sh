# What both machines of the drill do alike. Runs inside a container as root.
set -E -o pipefail
trap 'journalctl --no-pager -o cat -n 40' ERR # into what the failing test shows
# /lab/guide-SECTION-NUMBER.sh has the commands of the guides, a file for each block. Where one says that a file is to be
# changed, `as_said` changes it.
guide_for() { # section, block, table, one line of it: prints the file of these commands
    sed -e "${4:-0~1}!d" -e "s/table7/${3:-table7}/g" -e 's/ # .*then \(change\|write\) .*/; as_said/' "/lab/guide-$1-$2.sh" > "/run/guide-$1-$2-${3:-table7}.sh"
    echo "/run/guide-$1-$2-${3:-table7}.sh"
}
guide() { . "$(guide_for "$@")"; }
guide_until() { # section, block, table, condition: then Ctrl-C
    setsid env --default-signal=INT bash -e "$(guide_for "$1" "$2" "$3")" > "/lab/notes/typed-$1-$3" 2>&1 &
    local typing=$!
    until_true "$4"
    kill -INT -- "-$typing"
    wait "$typing" || true
}
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
