# Installs feltd on the guest as HACKING.md tells for a table's machine. /opt/feltd is there already.
set -eux
cd /opt/systemd
install -D -m 644 feltd.sysusers.conf /usr/lib/sysusers.d/feltd.conf
install -D -m 644 feltd.tmpfiles.conf /usr/lib/tmpfiles.d/feltd.conf
systemd-sysusers
systemd-tmpfiles --create /usr/lib/tmpfiles.d/feltd.conf
install -m 644 60-feltd.rules /etc/udev/rules.d/60-feltd.rules
udevadm control --reload
install -m 644 -t /etc/systemd/system 'feltd@.service' 'feltd-user@.service'
systemctl daemon-reload
systemd-run --quiet --unit lab-mosquitto --service-type=notify mosquitto -c /opt/lab/mosquitto.conf
