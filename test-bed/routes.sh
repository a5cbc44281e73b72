# Ways between the two devices of the test bed; those of a link vanish when it goes down, so this runs again after "up".
ip route replace 10.1.0.2/32 dev va scope link src 10.1.0.1 table 101; ip route replace 10.1.0.1/32 dev vb scope link src 10.1.0.2 table 102
ip neigh replace 10.1.0.1 lladdr "$(cat /sys/class/net/va/address)" dev vb nud permanent
ip neigh replace 10.1.0.2 lladdr "$(cat /sys/class/net/vb/address)" dev va nud permanent
