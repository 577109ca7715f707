package dev.bluebell.uverbs.cm;

import static dev.bluebell.uverbs.cm.CmWorld.ipv4;
import static dev.bluebell.uverbs.cm.CmWorld.offer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.EventResp;
import dev.bluebell.hca.uverbs.CmAbi.QpAttr;
import dev.bluebell.hca.uverbs.CmAbi.UdParam;
import dev.bluebell.hca.uverbs.CmEventType;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.PdAbi.AhAttr;
import dev.bluebell.hca.uverbs.PdAbi.GlobalRoute;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.server.Quota;
import dev.bluebell.server.QuotaExceeded;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.qp.QpStates;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Ids of the connection manager: addresses, ports, datagrams, groups, events, and ownership. */
class CmIdTest {
  private static final int LOOPBACK = 0x7f000001;
  private static final int OTHER = 0x0a000005;
  private static final int FOREIGN = 0x0a000006;
  private static final int KEY = 0x01234567;
  private static final byte[] NOTHING = new byte[0];

  private final CmWorld world = new CmWorld();
  private final CmWorld.Party server = world.party("server");
  private final CmWorld.Party client = world.party("client");

  private static void expectRefusal(int errno, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.errno()).isEqualTo(errno));
  }

  private CmId bound(CmAddress address) {
    CmId id = server.id(RdmaCm.PS_TCP);
    id.bind(address);
    return id;
  }

  // ---- addresses

  @Test
  void anIdGetsADeviceByAnAddressOfThisMachine() {
    CmId any = bound(CmAddress.any(CmAddress.INET));
    assertThat(any.addressing().hasDevice()).isFalse();
    assertThat(any.addressing().source().port()).isBetween(32_768, 60_999);
    CmId one = bound(ipv4(OTHER, 7000));
    assertThat(one.addressing().hasDevice()).isTrue();
    assertThat(server.file.port().gid(one.addressing().source()))
        .as("of its version of IP")
        .isEqualTo(CmWorld.IPV4);
    CmId six = bound(CmAddress.loopback(CmAddress.INET6, 7000));
    assertThat(server.file.port().gid(six.addressing().source())).isEqualTo(CmWorld.LINK_LOCAL);
    expectRefusal(Errno.EINVAL, () -> one.bind(ipv4(LOOPBACK, 7001)));
  }

  @Test
  void addressesThatAreNotOfThisMachineAreRefused() {
    CmId id = server.id(RdmaCm.PS_TCP);
    expectRefusal(Errno.EADDRNOTAVAIL, () -> id.bind(ipv4(FOREIGN, 7000)));
    expectRefusal(Errno.EAFNOSUPPORT, () -> id.bind(CmAddress.NONE));
    byte[] linkLocal = new byte[28];
    linkLocal[0] = CmAddress.INET6;
    linkLocal[8] = (byte) 0xfe;
    linkLocal[9] = (byte) 0x80;
    expectRefusal(Errno.EINVAL, () -> id.bind(CmAddress.of(linkLocal)));
    expectRefusal(
        Errno.ENODEV, () -> id.bind(CmAddress.ofGid(CmWorld.LINK_LOCAL, 0xffff, 0x1060000)));
    id.bind(ipv4(LOOPBACK, 7000));
  }

  /** In Linux, IPv6 has no route to such an address. */
  @Test
  void anIpv4AddressInsideAnIpv6AddressIsNotOfThisMachine() {
    byte[] mapped = new byte[28];
    mapped[0] = CmAddress.INET6;
    mapped[18] = (byte) 0xff;
    mapped[19] = (byte) 0xff;
    mapped[20] = 127;
    mapped[23] = 1;
    CmAddress address = CmAddress.of(mapped).withPort(7000);
    CmId id = client.id(RdmaCm.PS_TCP);
    expectRefusal(Errno.EADDRNOTAVAIL, () -> id.bind(address));
    id.resolve(CmAddress.NONE, address);
    client.expect(CmEventType.ADDR_ERROR);
  }

  @Test
  void anAddressOfAnInterfaceKeepsIt() {
    byte[] linkLocal = new byte[28];
    linkLocal[0] = CmAddress.INET6;
    linkLocal[8] = (byte) 0xfe;
    linkLocal[9] = (byte) 0x80;
    linkLocal[23] = 1;
    linkLocal[24] = 99;
    assertThat(CmAddress.of(linkLocal).host().getHostAddress()).isEqualTo("fe80:0:0:0:0:0:0:1%99");
    assertThat(CmAddress.loopback(CmAddress.INET6, 0).host().getHostAddress())
        .isEqualTo("0:0:0:0:0:0:0:1");
  }

  @Test
  void noIdListensAtTheAddressOfAGroup() {
    server.listener(RdmaCm.PS_TCP, CmAddress.any(CmAddress.INET).withPort(7000));
    server.listener(RdmaCm.PS_UDP, CmAddress.any(CmAddress.INET).withPort(7000));
    client.resolved(RdmaCm.PS_TCP, ipv4(0xe0000001, 7000)).connect(offer(1, ""));
    assertThat(client.expect(CmEventType.REJECTED).getInt(EventResp.STATUS)).isEqualTo(8);
    client.resolved(RdmaCm.PS_UDP, ipv4(0xe0000001, 7000)).connect(offer(1, ""));
    assertThat(client.expect(CmEventType.UNREACHABLE).getInt(EventResp.STATUS)).isEqualTo(1);
    assertThat(server.next()).isNull();
  }

  @Test
  void portsBelowTheLimitAreForPrivilegedProcesses() {
    CmId id = server.id(RdmaCm.PS_TCP);
    expectRefusal(Errno.EACCES, () -> id.bind(ipv4(LOOPBACK, CmWorld.PRIVILEGED - 1)));
    id.bind(ipv4(LOOPBACK, CmWorld.PRIVILEGED));
  }

  @Test
  void aPortBelongsToOneIdForEachAddress() {
    CmId first = bound(ipv4(LOOPBACK, 7000));
    expectRefusal(Errno.EADDRINUSE, () -> bound(ipv4(LOOPBACK, 7000)));
    expectRefusal(Errno.EADDRNOTAVAIL, () -> bound(ipv4(0, 7000)));
    bound(ipv4(OTHER, 7000));
    bound(CmAddress.loopback(CmAddress.INET6, 7000));
    server.id(RdmaCm.PS_UDP).bind(ipv4(LOOPBACK, 7000));
    first.destroy();
    bound(ipv4(LOOPBACK, 7000));
  }

  @Test
  void idsThatAllowItShareAPortUntilOneListens() {
    CmId first = server.id(RdmaCm.PS_TCP);
    CmId second = server.id(RdmaCm.PS_TCP);
    first.setReusesAddress(true);
    second.setReusesAddress(true);
    first.bind(ipv4(LOOPBACK, 7000));
    second.bind(ipv4(LOOPBACK, 7000));
    expectRefusal(Errno.EADDRINUSE, () -> first.listen(1));
    second.destroy();
    first.listen(1);
    expectRefusal(Errno.EINVAL, () -> first.setReusesAddress(true));
  }

  @Test
  void anyAddressOfIpv6TakesRequestsToIpv4UnlessItIsForOneFamily() {
    CmId both = server.listener(RdmaCm.PS_TCP, CmAddress.any(CmAddress.INET6).withPort(7000));
    client.resolved(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000)).connect(offer(1, ""));
    assertThat(server.request().addressing().source().family()).isEqualTo(CmAddress.INET);
    both.destroy();
    CmId one = server.id(RdmaCm.PS_TCP);
    one.setForOneFamily(true);
    one.bind(CmAddress.any(CmAddress.INET6).withPort(7000));
    one.listen(1);
    client.resolved(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000)).connect(offer(1, ""));
    assertThat(client.expect(CmEventType.REJECTED).getInt(EventResp.STATUS)).isEqualTo(8);
    bound(ipv4(0, 7000));
  }

  @Test
  void anAddressOfAnotherMachineIsAnEvent() {
    CmId id = client.id(RdmaCm.PS_TCP);
    id.resolve(CmAddress.NONE, ipv4(FOREIGN, 7000));
    View error = client.expect(CmEventType.ADDR_ERROR);
    assertThat(error.getInt(EventResp.STATUS)).isEqualTo(-Errno.ENODEV);
    assertThat(client.heard)
        .singleElement()
        .asString()
        .contains("10.0.0.6 port 7000 can't be reached");
    expectRefusal(Errno.EINVAL, id::resolveRoute);
    id.resolve(CmAddress.NONE, ipv4(OTHER, 7000));
    client.expect(CmEventType.ADDR_RESOLVED);
    assertThat(id.addressing().source().gid()).isEqualTo(Gid.ofIpv4(OTHER));
  }

  @Test
  void anyAddressResolvesToThisMachine() {
    server.listener(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000));
    client.resolved(RdmaCm.PS_TCP, ipv4(0, 7000)).connect(offer(1, ""));
    server.expect(CmEventType.CONNECT_REQUEST);
  }

  @Test
  void anAddressOfAnotherFamilyIsRefused() {
    CmId id = client.id(RdmaCm.PS_TCP);
    id.bind(ipv4(LOOPBACK, 0));
    expectRefusal(
        Errno.EINVAL, () -> id.resolve(CmAddress.NONE, CmAddress.loopback(CmAddress.INET6, 7000)));
  }

  @Test
  void stepsInAnotherOrderAreRefused() {
    CmId id = client.id(RdmaCm.PS_TCP);
    expectRefusal(Errno.EINVAL, id::resolveRoute);
    expectRefusal(Errno.EINVAL, () -> id.connect(offer(1, "")));
    expectRefusal(Errno.EINVAL, () -> id.accept(1, offer(1, "")));
    expectRefusal(Errno.EINVAL, id::acknowledge);
    expectRefusal(Errno.EINVAL, () -> id.reject(0, NOTHING));
    expectRefusal(Errno.EINVAL, id::disconnect);
    expectRefusal(Errno.EINVAL, () -> id.notify(4));
    id.listen(1);
    expectRefusal(Errno.EINVAL, () -> id.listen(1));
    expectRefusal(Errno.EINVAL, () -> id.resolve(CmAddress.NONE, ipv4(LOOPBACK, 1)));
  }

  @Test
  void theServiceOfAnInfiniBandAddressChoosesThePortSpace() {
    CmId id = server.id(RdmaCm.PS_IB);
    id.bind(CmAddress.ofGid(Gid.ZERO, 0xffff, 0x1060000L | 7000));
    assertThat(id.addressing().space()).isEqualTo(RdmaCm.PS_TCP);
    id.listen(1);
    client.resolved(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000)).connect(offer(1, ""));
    server.expect(CmEventType.CONNECT_REQUEST);
    CmId tcp = server.id(RdmaCm.PS_TCP);
    expectRefusal(
        Errno.EPROTONOSUPPORT,
        () -> tcp.bind(CmAddress.ofGid(Gid.ZERO, 0xffff, 0x1110000L | 7000)));
  }

  @Test
  void endsOfAnInfiniBandPortAreReachedByLid() {
    CmPort port = new CmPort(1, true, 7, 5, List.of(new CmPort.Entry(0, CmWorld.LINK_LOCAL)));
    CmWorld fabric = new CmWorld(port, Map.of(), new Random(1));
    CmWorld.Party listening = fabric.party("listening");
    CmWorld.Party asking = fabric.party("asking");
    CmAddress service = CmAddress.ofGid(CmWorld.LINK_LOCAL, 0xffff, 0x1060000L | 7000);
    for (CmAddress address : List.of(ipv4(OTHER, 7001), service)) {
      listening.listener(RdmaCm.PS_TCP, address);
      asking.resolved(RdmaCm.PS_TCP, address).connect(offer(1, ""));
      View route = CmQueries.attributes(listening.request(), QpStates.RTR).at(QpAttr.AH_ATTR);
      assertThat(route.getInt(AhAttr.IS_GLOBAL)).isZero();
      assertThat(route.getInt(AhAttr.DLID)).isEqualTo(7);
    }
    CmId datagrams = asking.id(RdmaCm.PS_UDP);
    datagrams.bind(ipv4(LOOPBACK, 0));
    expectRefusal(Errno.ENOSYS, () -> datagrams.join(5, ipv4(0xe0000001, 0)));
    CmId other = asking.id(RdmaCm.PS_TCP);
    expectRefusal(Errno.ENODEV, () -> other.bind(CmAddress.ofGid(CmWorld.IPV4, 0xffff, 0x1060000)));
  }

  // ---- datagrams

  private CmId asked(String data) {
    server.listener(RdmaCm.PS_UDP, ipv4(LOOPBACK, 7000));
    client.resolved(RdmaCm.PS_UDP, ipv4(LOOPBACK, 7000)).connect(offer(1, data));
    View request = server.expect(CmEventType.CONNECT_REQUEST);
    View param = request.at(EventResp.UD);
    assertThat(param.getInt(UdParam.PRIVATE_DATA_LEN)).isEqualTo(180);
    assertThat(new String(param.getBytes(UdParam.PRIVATE_DATA), UTF_8)).startsWith(data + "\0");
    return server.file.find(request.getInt(EventResp.ID));
  }

  @Test
  void aSidrRequestIsAnsweredWithAQueuePairAndItsKey() {
    CmId passive = asked("who");
    passive.accept(77, offer(0x22, "me"));
    View found = client.expect(CmEventType.ESTABLISHED);
    View param = found.at(EventResp.UD);
    assertThat(param.getInt(UdParam.QP_NUM)).isEqualTo(0x22);
    assertThat(param.getInt(UdParam.QKEY)).isEqualTo(KEY);
    assertThat(param.getInt(UdParam.PRIVATE_DATA_LEN)).isEqualTo(136);
    View route = param.at(UdParam.AH_ATTR);
    assertThat(route.at(AhAttr.GRH).getBytes(GlobalRoute.DGID)).isEqualTo(CmWorld.IPV4.bytes());
    expectRefusal(Errno.EINVAL, () -> passive.accept(77, offer(0x22, "again")));
    View attributes = CmQueries.attributes(passive, QpStates.INIT);
    assertThat(attributes.getInt(QpAttr.QP_ATTR_MASK)).isEqualTo(0x71);
    assertThat(attributes.getInt(QpAttr.QKEY)).isEqualTo(KEY);
  }

  @Test
  void aRejectedOrUnansweredSidrRequestIsUnreachable() {
    asked("who").reject(0, "nobody".getBytes(UTF_8));
    View rejected = client.expect(CmEventType.UNREACHABLE);
    assertThat(rejected.getInt(EventResp.STATUS)).isEqualTo(2);
    client.resolved(RdmaCm.PS_UDP, ipv4(LOOPBACK, 7001)).connect(offer(1, ""));
    assertThat(client.expect(CmEventType.UNREACHABLE).getInt(EventResp.STATUS)).isEqualTo(1);
    assertThat(client.heard).singleElement().asString().contains("RDMA_PS_UDP");
  }

  @Test
  void destroyingAnIdRejectsItsSidrRequest() {
    asked("who").destroy();
    assertThat(client.expect(CmEventType.UNREACHABLE).getInt(EventResp.STATUS)).isEqualTo(2);
  }

  // ---- groups

  @Test
  void aGroupIsJoinedAndLeft() {
    CmId id = client.id(RdmaCm.PS_UDP);
    expectRefusal(Errno.EINVAL, () -> id.join(5, ipv4(0xe0000001, 0)));
    id.bind(ipv4(LOOPBACK, 0));
    CmGroup group = id.join(5, ipv4(0xe0000001, 0));
    View joined = client.expect(CmEventType.MULTICAST_JOIN);
    assertThat(joined.get(EventResp.UID)).isEqualTo(5);
    assertThat(joined.getInt(EventResp.ID)).isEqualTo(group.number());
    View param = joined.at(EventResp.UD);
    assertThat(param.getInt(UdParam.QP_NUM)).isEqualTo(0xffffff);
    assertThat(param.getInt(UdParam.QKEY)).isEqualTo(KEY);
    assertThat(param.at(UdParam.AH_ATTR).at(AhAttr.GRH).getBytes(GlobalRoute.DGID))
        .isEqualTo(Gid.ofIpv4(0xe0000001).bytes());
    assertThat(id.groups().leave(group)).isEqualTo(1);
    CmGroup other = id.join(6, ipv4(0xe0000002, 0));
    assertThat(id.groups().leave(other)).as("events of the group that were read").isZero();
    assertThat(client.next()).isNull();
    CmGroup last = id.join(7, ipv4(0xe0000003, 0));
    assertThat(client.file.findGroup(last.number())).isSameAs(last);
    assertThat(id.destroy()).isEqualTo(1);
    expectRefusal(Errno.ENOENT, () -> client.file.findGroup(last.number()));
    assertThat(world.held(Quota.CONNECTION_IDS)).isZero();
  }

  @Test
  void theAddressOfAGroupResolvesToo() {
    CmId id = client.resolved(RdmaCm.PS_UDP, ipv4(0xe0000001, 7000));
    assertThat(id.addressing().source().gid()).isEqualTo(CmWorld.IPV4);
    assertThat(id.addressing().path().destination()).isEqualTo(Gid.ofIpv4(0xe0000001));
    id.connect(offer(1, ""));
    assertThat(client.expect(CmEventType.UNREACHABLE).getInt(EventResp.STATUS)).isEqualTo(1);
    CmId member = client.id(RdmaCm.PS_UDP);
    member.resolve(CmAddress.NONE, ipv4(0xe0000001, 0));
    client.expect(CmEventType.ADDR_RESOLVED);
    member.join(5, ipv4(0xe0000001, 0));
    client.expect(CmEventType.MULTICAST_JOIN);
  }

  // ---- ownership of ids

  @Test
  void aClientSeesItsOwnIdsAlone() {
    CmId id = server.id(RdmaCm.PS_TCP);
    expectRefusal(Errno.ENOENT, () -> client.file.find(id.number()));
    expectRefusal(Errno.ENOENT, () -> client.file.find(99));
    CmWorld.Party second = world.party("server");
    expectRefusal(Errno.EINVAL, () -> second.file.find(id.number()));
    CmId group = client.id(RdmaCm.PS_UDP);
    group.bind(ipv4(LOOPBACK, 0));
    int number = group.join(5, ipv4(0xe0000001, 0)).number();
    expectRefusal(Errno.ENOENT, () -> server.file.findGroup(number));
    expectRefusal(Errno.ENOENT, () -> client.file.find(number));
  }

  @Test
  void anIdMovesWithItsEventsAndTheirRequests() {
    CmId listener = server.listener(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000));
    CmId other = server.id(RdmaCm.PS_TCP);
    other.resolve(CmAddress.NONE, ipv4(LOOPBACK, 7000));
    client.resolved(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000)).connect(offer(1, ""));
    CmWorld.Party second = world.party("server");
    listener.moveTo(second.file);
    server.expect(CmEventType.ADDR_RESOLVED);
    assertThat(server.ready).isFalse();
    assertThat(second.ready).isTrue();
    second.request().accept(77, offer(2, ""));
    server.file.close();
    client.expect(CmEventType.CONNECT_RESPONSE);
    second.file.close();
    assertThat(client.expect(CmEventType.REJECTED).getInt(EventResp.STATUS)).isEqualTo(28);
  }

  @Test
  void eachEventWakesItsReaderAndTheLastReadClearsReadiness() {
    CmId id = client.id(RdmaCm.PS_TCP);
    id.resolve(CmAddress.NONE, ipv4(LOOPBACK, 7000));
    id.resolveRoute();
    assertThat(client.wakes).isEqualTo(2);
    client.expect(CmEventType.ADDR_RESOLVED);
    assertThat(client.ready).isTrue();
    CmEvent last = client.file.next();
    assertThat(client.ready).isFalse();
    CmFile.putBack(last);
    assertThat(client.ready).isTrue();
    client.expect(CmEventType.ROUTE_RESOLVED);
  }

  // ---- events that a client writes

  @Test
  void anEventThatAClientWritesIsReadWithItsStatusAndArgument() {
    CmId id = client.file.create(77, RdmaCm.PS_TCP, Verbs.QPT_RC);
    id.resolve(CmAddress.NONE, ipv4(LOOPBACK, 7000));
    id.events().write(CmEventType.USER, -5, 0x8123_4567_89ab_cdefL);
    id.events().write(CmEventType.INTERNAL, 0, 16);
    client.expect(CmEventType.ADDR_RESOLVED);
    View own = client.expect(CmEventType.USER);
    assertThat(own.getInt(EventResp.ID)).isEqualTo(id.number());
    assertThat(own.get(EventResp.UID)).isEqualTo(77);
    assertThat(own.getInt(EventResp.STATUS)).isEqualTo(-5);
    assertThat(own.get(EventResp.ARG32)).isEqualTo(0x8123_4567_89ab_cdefL);
    assertThat(client.expect(CmEventType.INTERNAL).get(EventResp.ARG32)).isEqualTo(16);
    assertThat(client.next()).isNull();
    assertThat(id.destroy()).as("events that were read").isEqualTo(3);
  }

  @Test
  void anEventThatAClientWritesMovesAndDisappearsWithItsId() {
    CmId id = client.id(RdmaCm.PS_TCP);
    id.events().write(CmEventType.USER, 0, 1);
    CmWorld.Party second = world.party("client");
    id.moveTo(second.file);
    assertThat(client.next()).isNull();
    second.expect(CmEventType.USER);
    id.events().write(CmEventType.USER, 0, 2);
    id.destroy();
    assertThat(second.next()).isNull();
    assertThat(world.held(Quota.PENDING_EVENTS)).isZero();
  }

  @Test
  void anEventOfAnUnreadRequestMovesWithItsListener() {
    CmId listener = server.listener(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000));
    CmId active = client.resolved(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000));
    active.connect(offer(1, ""));
    CmId request = server.file.find(active.number() + 1);
    request.events().write(CmEventType.USER, 0, 1);
    CmWorld.Party second = world.party("server");
    listener.moveTo(second.file);
    assertThat(server.next()).isNull();
    assertThat(second.request()).isSameAs(request);
    second.expect(CmEventType.USER);
  }

  @Test
  void movedEventsFollowThoseOfTheirNewChannel() {
    CmId moving = client.id(RdmaCm.PS_TCP);
    moving.events().write(CmEventType.USER, 0, 1);
    CmWorld.Party second = world.party("client");
    CmId staying = second.id(RdmaCm.PS_TCP);
    staying.events().write(CmEventType.USER, 0, 2);
    moving.events().write(CmEventType.USER, 0, 3);
    moving.moveTo(second.file);
    staying.events().write(CmEventType.USER, 0, 4);
    moving.events().write(CmEventType.USER, 0, 5);
    for (int argument : new int[] {2, 1, 3, 4, 5}) {
      assertThat(second.expect(CmEventType.USER).get(EventResp.ARG32)).isEqualTo(argument);
    }
    assertThat(second.next()).isNull();
  }

  // The lock of all clients is held meanwhile.

  @Test
  void anIdMovesInOneStepHoweverManyEventsItHas() {
    CmId id = client.id(RdmaCm.PS_TCP);
    CmWorld.Party second = world.party("client");
    id.events().write(CmEventType.USER, 0, 0);
    id.moveTo(second.file);
    id.moveTo(client.file);
    for (int i = 1; i < 10_000; i++) {
      id.events().write(CmEventType.USER, 0, i);
    }
    int signals = client.signals + second.signals;
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    id.moveTo(second.file);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4096);
    assertThat(client.signals + second.signals - signals).as("calls of the kernel").isEqualTo(2);
    for (int i = 0; i < 10_000; i++) {
      assertThat(second.expect(CmEventType.USER).get(EventResp.ARG32)).isEqualTo(i);
    }
  }

  @Test
  void droppingEventsOfAnIdLooksAtNoOthers() {
    CmId busy = client.id(RdmaCm.PS_TCP);
    for (int i = 0; i < 1000; i++) {
      busy.events().write(CmEventType.USER, 0, i);
    }
    CmId id = client.id(RdmaCm.PS_TCP);
    id.events().write(CmEventType.USER, 0, 0);
    AtomicInteger steps = new AtomicInteger();
    client.file.dropEvents(id, event -> steps.incrementAndGet() > 0);
    client.file.dropEvents(id, event -> steps.incrementAndGet() > 0);
    assertThat(steps).hasValue(1);
    assertThat(world.held(Quota.PENDING_EVENTS)).isEqualTo(1000);
  }

  @Test
  void anIdWithoutEventsIsDestroyedWithoutASignal() {
    client.id(RdmaCm.PS_TCP);
    CmId id = client.id(RdmaCm.PS_TCP);
    id.destroy();
    client.file.close();
    assertThat(client.signals).isZero();
  }

  @Test
  void anIdThatIsNotAcceptedYetTakesEventsOfItsClient() {
    server.listener(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000));
    client.resolved(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000)).connect(offer(1, ""));
    CmId request = server.request();
    request.events().write(CmEventType.USER, 0, 1);
    assertThat(server.expect(CmEventType.USER).get(EventResp.UID)).isZero();
  }

  @Test
  void anEventBeyondTheShareOfItsClientIsRefused() {
    CmWorld small = new CmWorld(Map.of(Quota.PENDING_EVENTS, 16L), new Random(1));
    CmWorld.Party party = small.party("party");
    CmId id = party.id(RdmaCm.PS_TCP);
    for (int i = 0; i < 8; i++) {
      id.events().write(CmEventType.USER, 0, i);
    }
    expectRefusal(Errno.ENOMEM, () -> id.events().write(CmEventType.USER, 0, 8));
    party.expect(CmEventType.USER);
    id.events().write(CmEventType.USER, 0, 8);
  }

  // ---- shares

  @Test
  void aClientHasAsManyIdsAsItsShare() {
    CmWorld small = new CmWorld(Map.of(Quota.CONNECTION_IDS, 64L), new Random(1));
    CmWorld.Party greedy = small.party("greedy");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 64; i++) {
                greedy.id(RdmaCm.PS_TCP);
              }
            })
        .isInstanceOf(QuotaExceeded.class);
    CmWorld.Party other = small.party("other");
    other.listener(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000));
    assertThat(small.manager.ports().listeners()).hasSize(1);
    greedy.file.close();
    assertThat(small.held(Quota.CONNECTION_IDS)).isEqualTo(1);
  }

  @Test
  void eventsBeyondTheShareOfTheirReaderAreLostAndRequestsWait() {
    CmWorld small = new CmWorld(Map.of(Quota.PENDING_EVENTS, 16L), new Random(1));
    CmWorld.Party listening = small.party("listening");
    CmWorld.Party asking = small.party("asking");
    listening.listener(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000));
    CmId busy = listening.id(RdmaCm.PS_TCP);
    for (int i = 0; i < 64; i++) {
      busy.resolve(CmAddress.NONE, ipv4(FOREIGN, 7000));
    }
    long share = small.held(Quota.PENDING_EVENTS);
    assertThat(share).isEqualTo(8);
    long ids = small.held(Quota.CONNECTION_IDS);
    CmId active = asking.resolved(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000));
    active.connect(offer(1, ""));
    assertThat(small.held(Quota.CONNECTION_IDS)).as("no id for the request").isEqualTo(ids + 1);
    busy.destroy();
    assertThat(listening.next()).isNull();
    small.pass(7000);
    listening.expect(CmEventType.CONNECT_REQUEST);
    assertThat(small.manager.ports().listeners()).hasSize(1);
  }

  // ---- repeated and concurrent calls

  @Test
  void anUnreadRequestThatIsDestroyedTwiceTakesNoNumberFromOthers() {
    CmId listener = server.listener(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000));
    CmId active = client.resolved(RdmaCm.PS_TCP, ipv4(LOOPBACK, 7000));
    active.connect(offer(1, ""));
    CmId request = server.file.find(active.number() + 1);
    request.destroy();
    CmId stranger = world.party("stranger").id(RdmaCm.PS_TCP);
    assertThat(stranger.number()).as("the number is free").isEqualTo(request.number());
    listener.destroy();
    assertThat(stranger.file().find(stranger.number())).isSameAs(stranger);
  }

  @Test
  void aGroupThatIsLeftTwiceTakesNoNumberFromOthers() {
    CmId id = client.id(RdmaCm.PS_UDP);
    id.bind(ipv4(LOOPBACK, 0));
    CmGroup group = id.join(5, ipv4(0xe0000001, 0));
    id.groups().leave(group);
    CmId stranger = world.party("stranger").id(RdmaCm.PS_TCP);
    assertThat(stranger.number()).as("the number is free").isEqualTo(group.number());
    id.groups().leave(group);
    assertThat(stranger.file().find(stranger.number())).isSameAs(stranger);
  }

  @Test
  void anEventThatCouldNotBeDeliveredFollowsItsId() {
    CmId id = client.id(RdmaCm.PS_TCP);
    id.resolve(CmAddress.NONE, ipv4(LOOPBACK, 7000));
    CmEvent event = client.file.next();
    CmWorld.Party second = world.party("client");
    id.moveTo(second.file);
    CmFile.putBack(event);
    assertThat(client.next()).isNull();
    second.expect(CmEventType.ADDR_RESOLVED);
    id.resolveRoute();
    CmEvent late = second.file.next();
    id.destroy();
    CmFile.putBack(late);
    assertThat(second.next()).isNull();
    assertThat(world.held(Quota.PENDING_EVENTS)).isZero();
  }

  @Test
  void noGroupIsJoinedWhenItsEventWouldBeLost() {
    CmWorld small = new CmWorld(Map.of(Quota.PENDING_EVENTS, 16L), new Random(1));
    CmWorld.Party party = small.party("party");
    CmId busy = party.id(RdmaCm.PS_TCP);
    for (int i = 0; i < 64; i++) {
      busy.resolve(CmAddress.NONE, ipv4(FOREIGN, 7000));
    }
    CmId id = party.id(RdmaCm.PS_UDP);
    id.bind(ipv4(LOOPBACK, 0));
    expectRefusal(Errno.ENOMEM, () -> id.join(5, ipv4(0xe0000001, 0)));
    assertThat(small.held(Quota.CONNECTION_IDS)).isEqualTo(2);
  }

  @Test
  void aStateOfTheQueuePairIsUnsigned() {
    CmId id = bound(ipv4(LOOPBACK, 7000));
    expectRefusal(Errno.EINVAL, () -> CmQueries.attributes(id, -1));
    expectRefusal(Errno.EINVAL, () -> CmQueries.attributes(id, QpStates.ERR + 1));
  }

  @Test
  void aFailedBindLeavesNoPortSpaceBehind() {
    bound(CmAddress.ofGid(Gid.ZERO, 0xffff, 0x1060000L | 7000));
    CmId id = server.id(RdmaCm.PS_IB);
    assertThatThrownBy(() -> id.bind(CmAddress.ofGid(Gid.ZERO, 0xffff, 0x1060000L | 7000)))
        .isInstanceOf(Refusal.class);
    id.bind(ipv4(LOOPBACK, 7001));
    assertThat(id.addressing().space()).isEqualTo(RdmaCm.PS_IB);
  }
}
