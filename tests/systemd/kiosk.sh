# Runs inside the container as root: the page's unit and the kiosk's, with Debian's cage and Chromium. A container has no
# console and no display, so the compositor draws into memory, and one drop-in takes the terminal away. The rest is the unit.
set -o pipefail
note() { cat > "/lab/notes/$1"; }
show() { systemctl show "$1" -p ActiveState,SubState,NRestarts,Result,ExecMainCode,ExecMainStatus; }
until_true() { # condition
    local until=$((SECONDS + 90))
    while [ "$SECONDS" -lt "$until" ]; do
        eval "$1" && return
        sleep 0.1
    done
    journalctl --no-pager -n 100 | note log-of-all
    return 1
}
browser() { # Chromium's first process: its others have a type, once they are more than a copy of it, and cage has its name only among its words
    pgrep -u feltd-kiosk -x chromium | while read -r pid; do
        grep -q -- --type= "/proc/$pid/cmdline" || { echo "$pid"; break; }
    done
}
heard() { # bytes that came from the page's server
    ss --no-header --tcp --numeric --info state established '( dport = :8050 )' | grep -o 'bytes_received:[0-9]*' | awk -F: '{ all += $2 } END { print all + 0 }'
}
shows() { # the page's scripts run: their stream is open, on which something comes every two seconds
    before=$(heard)
    sleep 5
    [ "$(heard)" -gt "$before" ]
}

install -D -m 644 /lab/feltd.sysusers.conf /usr/lib/sysusers.d/feltd.conf
install -D -m 644 /lab/feltd.tmpfiles.conf /usr/lib/tmpfiles.d/feltd.conf
systemd-sysusers
systemd-tmpfiles --create /usr/lib/tmpfiles.d/feltd.conf
runuser -u feltd -- /opt/feltd/bin/feltd emulate broker --port 1883 &

# A table that it shows.
install -m 644 /lab/feltd@.service /lab/feltd-user@.service /lab/feltd.target /etc/systemd/system/
systemctl daemon-reload
systemctl start feltd-user@table7
install -d -o feltd-table7 /run/lab
runuser -u feltd-table7 -- /opt/feltd/bin/feltd emulate shuffler --pty /run/lab/shuffler &
sed 's#^address = .*#address = "serial:/run/lab/shuffler"#' /lab/feltd.example.toml > /etc/feltd/table7.toml
chown root:feltd /etc/feltd/table7.toml
runuser -u feltd-table7 -- /opt/feltd/bin/feltd create-journal --config /etc/feltd/table7.toml
systemctl start feltd@table7
until_true 'journalctl -o cat -u feltd@table7 | grep -q device-up'

install -m 644 /lab/feltd-page.service /lab/feltd-kiosk.service /etc/systemd/system/
sed '/^username\|^password_file/d' /lab/feltd-page.example.toml > /etc/feltd/page.toml
chown root:feltd /etc/feltd/page.toml
chmod 640 /etc/feltd/page.toml

# As the head of the unit says it.
useradd --system --create-home --groups video,input feltd-kiosk
echo 'SCREEN=http://localhost:8050/#/dealer/table7' > /etc/feltd/kiosk.env
mkdir -p /etc/systemd/system/feltd-kiosk.service.d
cat > /etc/systemd/system/feltd-kiosk.service.d/no-console.conf <<'EOF'
[Service]
TTYPath=
TTYReset=no
TTYVHangup=no
TTYVTDisallocate=no
StandardInput=null
UtmpIdentifier=
Environment=WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1
EOF
systemctl daemon-reload
# The display is on before the page's server is: no browser comes up that would go on showing an error.
systemctl start --no-block feltd-kiosk
until_true '[ "$(systemctl show feltd-kiosk -p SubState --value)" = start-pre ]'
[ -z "$(browser)" ]
systemctl start feltd-page
until_true shows
show feltd-kiosk | note started
tr '\0' ' ' < "/proc/$(browser )/cmdline" | note browser

# Chromium is killed, and the screen comes back by itself.
kill -KILL "$(browser)"
until_true '[ "$(systemctl show feltd-kiosk -p NRestarts,SubState --value | xargs)" = "1 running" ]'
until_true shows
show feltd-kiosk | note killed

# The page's server is killed: the unit starts it again, and the browser that stayed finds it.
first=$(browser)
kill -KILL "$(systemctl show feltd-page -p MainPID --value)"
until_true '[ "$(systemctl show feltd-page -p NRestarts,SubState --value | xargs)" = "1 running" ]'
until_true shows
[ "$(browser)" = "$first" ]
show feltd-page | note page-killed
journalctl --no-pager -o cat -u feltd-kiosk | note log
systemctl stop feltd-kiosk
until_true '! pgrep -u feltd-kiosk chromium'
show feltd-kiosk | note stopped
