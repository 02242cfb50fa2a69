# The drill goes on on another machine, on which users have other numbers.
useradd --system somebody-else
apt-get -y install /lab/feltd.deb > /dev/null 2>&1
tar --extract --file=/lab/moved.tar --directory=/ --no-same-owner etc root var
chgrp -R feltd /etc/feltd
chown -R mosquitto:mosquitto /etc/mosquitto/feltd.* /etc/mosquitto/certs/broker.key /var/lib/mosquitto
systemctl start mosquitto
machine table7
machine table8
witness heard-on
systemctl enable --now feltd@table7 feltd@table8
for table in table7 table8; do
    until_true "status $table | grep -q 'shuffler up; broker up'"
    deal "$table" 2
    stat -c %U "/var/lib/feltd/$table/journal.db" | note "owner-$table"
done
sleep 1
systemctl stop feltd.target
for table in table7 table8; do
    feltd journal verify "/var/lib/feltd/$table/journal.db" | note "verified-$table"
    feltd journal rounds "/var/lib/feltd/$table/journal.db" | note "rounds-$table"
done
feltd journal verify /var/lib/feltd/table7/journal.db --key /root/table7-public.pem | note signed
