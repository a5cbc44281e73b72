# Two Soft-RoCE devices on a veth pair in one net namespace, since rxe lives in the initial one only. Policy routing makes
# packets between the two addresses leave by the veth although both are local.
ip link add va type veth peer name vb
for k in all default; do echo 0 >/proc/sys/net/ipv4/conf/$k/rp_filter; echo 1 >/proc/sys/net/ipv4/conf/$k/accept_local; done
for d in va vb; do sysctl -qw net.ipv4.conf.$d.rp_filter=0 net.ipv4.conf.$d.accept_local=1; ip link set $d mtu 4200 up; done
ip addr add 10.1.0.1/32 dev va; ip addr add 10.1.0.2/32 dev vb
ip rule add pref 100 lookup local; ip rule del pref 0
ip rule add pref 10 iif lo to 10.1.0.2 lookup 101; ip rule add pref 11 iif lo to 10.1.0.1 lookup 102
. "$here/routes.sh"
rdma link add rxeA type rxe netdev va; rdma link add rxeB type rxe netdev vb
sleep 1
