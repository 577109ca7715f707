package dev.bluebell.uverbs.cm;

import static dev.bluebell.uverbs.cm.CmWorld.ipv4;
import static dev.bluebell.uverbs.cm.CmWorld.offer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.ConnParam;
import dev.bluebell.hca.uverbs.CmAbi.Ece;
import dev.bluebell.hca.uverbs.CmAbi.EventResp;
import dev.bluebell.hca.uverbs.CmAbi.QpAttr;
import dev.bluebell.hca.uverbs.CmEventType;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.PdAbi.AhAttr;
import dev.bluebell.hca.uverbs.PdAbi.GlobalRoute;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.server.Quota;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.qp.QpStates;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The states of connections between two processes, message by message. */
class ConnectionTest {
  private static final int LOOPBACK = 0x7f000001;
  private static final int PORT = 7174;
  private static final CmAddress SERVICE = ipv4(LOOPBACK, PORT);
  private static final byte[] NOTHING = new byte[0];
  private static final long REQUEST_RETRY = 6144;
  private static final long REPLY_RETRY = 4096;

  /** One of the 16 waits is longer, because the peer's kernel asks for 65.5 s. */
  private static final long UNCONFIRMED = 16 * REPLY_RETRY + 65_536;

  private static final long TIMEWAIT = 2048;

  private final CmWorld world = new CmWorld();
  private final CmWorld.Party server = world.party("server");
  private final CmWorld.Party client = world.party("client");

  private static void expectRefusal(int errno, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.errno()).isEqualTo(errno));
  }

  private static byte[] data(View event, int length) {
    View param = event.at(EventResp.CONN);
    assertThat(param.getInt(ConnParam.PRIVATE_DATA_LEN)).isEqualTo(length);
    return Arrays.copyOf(param.getBytes(ConnParam.PRIVATE_DATA), length);
  }

  private static int param(View event, Field field) {
    return event.at(EventResp.CONN).getInt(field);
  }

  /** The requesting end of an established connection. */
  private CmId connected() {
    server.listener(RdmaCm.PS_TCP, SERVICE);
    CmId active = client.resolved(RdmaCm.PS_TCP, SERVICE);
    active.connect(offer(0x11, "hello"));
    server.request().accept(77, offer(0x22, "welcome"));
    client.expect(CmEventType.CONNECT_RESPONSE);
    active.acknowledge();
    server.expect(CmEventType.ESTABLISHED);
    return active;
  }

  private CmId passive() {
    CmId active = client.resolved(RdmaCm.PS_TCP, SERVICE);
    active.connect(offer(0x11, "hello"));
    assertThat(world.manager.ports().listeners()).hasSize(1);
    return server.request();
  }

  @Test
  void aConnectionTakesARequestAReplyAndAConfirmation() {
    CmId listener = server.listener(RdmaCm.PS_TCP, SERVICE);
    CmId active = client.resolved(RdmaCm.PS_TCP, SERVICE);
    active.connect(offer(0x11, "hello"));

    View request = server.expect(CmEventType.CONNECT_REQUEST);
    CmId passive = server.file.find(request.getInt(EventResp.ID));
    assertThat(passive).isNotSameAs(listener);
    assertThat(passive.addressing().source().toString()).isEqualTo("127.0.0.1 port 7174");
    assertThat(passive.addressing().destination().port())
        .isEqualTo(active.addressing().source().port());
    assertThat(param(request, ConnParam.QP_NUM)).isEqualTo(0x11);
    assertThat(param(request, ConnParam.RESPONDER_RESOURCES))
        .as("reads that the requester starts")
        .isEqualTo(5);
    assertThat(param(request, ConnParam.INITIATOR_DEPTH))
        .as("reads that the requester serves")
        .isEqualTo(3);
    assertThat(param(request, ConnParam.RETRY_COUNT)).as("three bits").isEqualTo(7);
    assertThat(param(request, ConnParam.RNR_RETRY_COUNT)).isEqualTo(6);
    assertThat(request.at(EventResp.ECE).getInt(Ece.VENDOR_ID)).isEqualTo(0x15b3);
    assertThat(new String(data(request, 56), UTF_8)).startsWith("hello\0");

    passive.accept(77, offer(0x22, "welcome"));
    View response = client.expect(CmEventType.CONNECT_RESPONSE);
    assertThat(param(response, ConnParam.QP_NUM)).isEqualTo(0x22);
    assertThat(new String(data(response, 196), UTF_8)).startsWith("welcome\0");
    assertThat(server.next()).as("an event before the confirmation").isNull();

    active.acknowledge();
    View established = server.expect(CmEventType.ESTABLISHED);
    assertThat(established.get(EventResp.UID)).isEqualTo(77);
    assertThat(client.next()).isNull();
  }

  @Test
  void bothQueuePairsGetAttributesThatFitEachOther() {
    server.listener(RdmaCm.PS_TCP, SERVICE);
    CmId passive = passive();
    View init = CmQueries.attributes(passive, QpStates.INIT);
    assertThat(init.getInt(QpAttr.QP_ATTR_MASK)).isEqualTo(0x39);
    assertThat(init.getInt(QpAttr.QP_ACCESS_FLAGS)).as("write, read, atomic").isEqualTo(0xe);
    assertThat(init.getInt(QpAttr.PORT_NUM)).isEqualTo(1);
    View receives = CmQueries.attributes(passive, QpStates.RTR);
    View sends = CmQueries.attributes(passive, QpStates.RTS);
    assertThat(receives.getInt(QpAttr.QP_ATTR_MASK)).isEqualTo(0x129181);
    assertThat(receives.getInt(QpAttr.DEST_QP_NUM)).isEqualTo(0x11);
    assertThat(receives.getInt(QpAttr.PATH_MTU)).isEqualTo(5);
    assertThat(receives.getInt(QpAttr.MAX_DEST_RD_ATOMIC)).isEqualTo(5);
    View route = receives.at(QpAttr.AH_ATTR);
    assertThat(route.getInt(AhAttr.IS_GLOBAL)).isEqualTo(1);
    assertThat(route.at(AhAttr.GRH).getInt(GlobalRoute.SGID_INDEX)).as("RoCE v2").isEqualTo(3);
    assertThat(route.at(AhAttr.GRH).getBytes(GlobalRoute.DGID)).isEqualTo(CmWorld.IPV4.bytes());
    assertThat(sends.getInt(QpAttr.QP_ATTR_MASK)).isEqualTo(0x12e01);
    assertThat(sends.getInt(QpAttr.RETRY_CNT)).isEqualTo(7);
    assertThat(sends.getInt(QpAttr.RNR_RETRY)).isEqualTo(6);
    assertThat(sends.getInt(QpAttr.TIMEOUT)).isEqualTo(19);
    assertThat(sends.getInt(QpAttr.MAX_RD_ATOMIC)).isEqualTo(3);

    passive.accept(77, offer(0x22, ""));
    CmId active =
        client.file.find(client.expect(CmEventType.CONNECT_RESPONSE).getInt(EventResp.ID));
    View others = CmQueries.attributes(active, QpStates.RTR);
    assertThat(others.getInt(QpAttr.DEST_QP_NUM)).isEqualTo(0x22);
    assertThat(others.getInt(QpAttr.RQ_PSN)).isEqualTo(sends.getInt(QpAttr.SQ_PSN));
    assertThat(CmQueries.attributes(active, QpStates.RTS).getInt(QpAttr.SQ_PSN))
        .isEqualTo(receives.getInt(QpAttr.RQ_PSN))
        .isNotEqualTo(sends.getInt(QpAttr.SQ_PSN));
  }

  @Test
  void aQueuePairHasNoRightsBeforeItConnects() {
    CmId active = client.resolved(RdmaCm.PS_TCP, SERVICE);
    View init = CmQueries.attributes(active, QpStates.INIT);
    assertThat(init.getInt(QpAttr.QP_ATTR_MASK)).isEqualTo(0x39);
    assertThat(init.getInt(QpAttr.QP_ACCESS_FLAGS)).isZero();
    server.listener(RdmaCm.PS_TCP, SERVICE);
    active.connect(offer(1, ""));
    expectRefusal(Errno.EINVAL, () -> CmQueries.attributes(active, QpStates.RTR));
    expectRefusal(Errno.EINVAL, () -> CmQueries.attributes(active, 7));
    CmId bound = client.id(RdmaCm.PS_TCP);
    expectRefusal(Errno.EINVAL, () -> CmQueries.attributes(bound, QpStates.INIT));
  }

  @Test
  void theTimeoutIsTheClientsOwnIfItSetsOne() {
    server.listener(RdmaCm.PS_TCP, SERVICE);
    CmId passive = passive();
    passive.setAcknowledgement(21);
    assertThat(CmQueries.attributes(passive, QpStates.RTS).getInt(QpAttr.TIMEOUT)).isEqualTo(21);
    CmId datagrams = server.id(RdmaCm.PS_UDP);
    expectRefusal(Errno.EINVAL, () -> datagrams.setAcknowledgement(21));
  }

  @Test
  void moreDataThanAMessageHasRoomForAreRefused() {
    server.listener(RdmaCm.PS_TCP, SERVICE);
    CmId active = client.resolved(RdmaCm.PS_TCP, SERVICE);
    expectRefusal(Errno.EINVAL, () -> active.connect(offer(1, new byte[57])));
    active.connect(offer(1, new byte[56]));
    CmId passive = server.request();
    expectRefusal(Errno.EINVAL, () -> passive.reject(0, new byte[149]));
    expectRefusal(Errno.EINVAL, () -> passive.accept(77, offer(2, new byte[197])));
    View rejected = client.expect(CmEventType.REJECTED);
    assertThat(rejected.getInt(EventResp.STATUS)).as("an accept that fails rejects").isEqualTo(28);
    CmId other = passive();
    other.accept(78, offer(2, new byte[196]));
    client.expect(CmEventType.CONNECT_RESPONSE);
  }

  @Test
  void aRequestWithoutAListenerIsRejectedWithReasonEight() {
    CmId active = client.resolved(RdmaCm.PS_TCP, SERVICE);
    server.listener(RdmaCm.PS_TCP, ipv4(LOOPBACK, PORT + 1));
    server.listener(RdmaCm.PS_UDP, SERVICE);
    server.listener(RdmaCm.PS_TCP, ipv4(0x0a000005, PORT));
    active.connect(offer(1, ""));
    View rejected = client.expect(CmEventType.REJECTED);
    assertThat(rejected.getInt(EventResp.STATUS)).isEqualTo(8);
    assertThat(client.heard)
        .singleElement()
        .asString()
        .contains("127.0.0.1 port 7174 (RDMA_PS_TCP)", "no id listens there")
        .endsWith(
            "ids listen at 10.0.0.5 port 7174 (RDMA_PS_TCP), 127.0.0.1 port 7174 (RDMA_PS_UDP),"
                + " 127.0.0.1 port 7175 (RDMA_PS_TCP)");
    expectRefusal(Errno.EINVAL, () -> active.connect(offer(1, "")));
  }

  /** A rejection holds the lock of all clients. */
  @Test
  void aRejectionDescribesFewOfManyListeners() {
    for (int i = 0; i < 2000; i++) {
      server.listener(RdmaCm.PS_TCP, ipv4(LOOPBACK, 10_000 + i));
    }
    client.resolved(RdmaCm.PS_TCP, SERVICE).connect(offer(1, ""));
    client.expect(CmEventType.REJECTED);
    CmId active = client.resolved(RdmaCm.PS_TCP, SERVICE);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    active.connect(offer(1, ""));
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(64 << 10);
    assertThat(client.heard).hasSize(2).last().asString().containsOnlyOnce("ids listen at");
  }

  @Test
  void aListenerRejectsWithItsData() {
    server.listener(RdmaCm.PS_TCP, SERVICE);
    CmId passive = passive();
    expectRefusal(Errno.EINVAL, () -> passive.reject(8, NOTHING));
    passive.reject(0, "no".getBytes(UTF_8));
    View rejected = client.expect(CmEventType.REJECTED);
    assertThat(rejected.getInt(EventResp.STATUS)).isEqualTo(28);
    assertThat(new String(data(rejected, 148), UTF_8)).startsWith("no\0");
    assertThat(client.heard).singleElement().asString().contains("reason 28");
    expectRefusal(Errno.EINVAL, () -> passive.reject(0, NOTHING));
    expectRefusal(Errno.EINVAL, () -> passive.accept(77, offer(1, "")));
  }

  @Test
  void aVendorsOptionCanBeTheReason() {
    server.listener(RdmaCm.PS_TCP, SERVICE);
    CmId passive = passive();
    passive.reject(35, NOTHING);
    assertThat(client.expect(CmEventType.REJECTED).getInt(EventResp.STATUS)).isEqualTo(35);
  }

  @Test
  void theDisconnectingEndGetsAnEventWhenThePeerAgrees() {
    CmId active = connected();
    active.disconnect();
    assertThat(client.next()).as("the peer has not agreed").isNull();
    View disconnected = server.expect(CmEventType.DISCONNECTED);
    CmId passive = server.file.find(disconnected.getInt(EventResp.ID));
    passive.disconnect();
    client.expect(CmEventType.DISCONNECTED);
    active.disconnect();
    passive.disconnect();
    assertThat(client.next()).isNull();
    assertThat(server.next()).isNull();
    expectRefusal(Errno.EINVAL, () -> CmQueries.attributes(active, QpStates.RTS));
  }

  @Test
  void bothEndsGetAnEventAfterTimewait() {
    CmId active = connected();
    active.disconnect();
    CmId passive = server.file.find(server.expect(CmEventType.DISCONNECTED).getInt(EventResp.ID));
    passive.disconnect();
    client.expect(CmEventType.DISCONNECTED);
    world.pass(TIMEWAIT - 1);
    assertThat(client.next()).isNull();
    world.pass(1);
    client.expect(CmEventType.TIMEWAIT_EXIT);
    server.expect(CmEventType.TIMEWAIT_EXIT);
  }

  // ---- answers that do not come

  @Test
  void aReplyThatIsNeverConfirmedIsGivenUp() {
    server.listener(RdmaCm.PS_TCP, SERVICE);
    CmId active = client.resolved(RdmaCm.PS_TCP, SERVICE);
    active.connect(offer(0x11, ""));
    CmId passive = server.request();
    passive.accept(77, offer(0x22, ""));
    client.expect(CmEventType.CONNECT_RESPONSE);
    world.pass(UNCONFIRMED - 1);
    assertThat(server.next()).isNull();
    world.pass(1);
    View unreachable = server.expect(CmEventType.UNREACHABLE);
    assertThat(unreachable.get(EventResp.UID)).isEqualTo(77);
    assertThat(unreachable.getInt(EventResp.STATUS)).isEqualTo(-Errno.ETIMEDOUT);
    assertThat(server.heard)
        .singleElement()
        .asString()
        .startsWith("the reply of id " + passive.number() + " to 127.0.0.1 port ")
        .contains("rdma_get_cm_event", "rdma_establish");
    active.acknowledge();
    assertThat(server.next()).as("it is too late").isNull();
    active.disconnect();
    client.expect(CmEventType.DISCONNECTED);
  }

  @Test
  void aDisconnectionThatThePeersProcessIgnoresEndsTheConnectionAllTheSame() {
    for (boolean isActive : new boolean[] {true, false}) {
      CmId active = connected();
      CmWorld.Party ending = isActive ? client : server;
      CmWorld.Party ignoring = isActive ? server : client;
      CmId end = isActive ? active : server.file.find(active.number() + 1);
      end.disconnect();
      View ignored = ignoring.expect(CmEventType.DISCONNECTED);
      world.pass(16 * (isActive ? REQUEST_RETRY : REPLY_RETRY) - 1);
      assertThat(ending.next()).isNull();
      world.pass(1);
      View disconnected = ending.expect(CmEventType.DISCONNECTED);
      assertThat(disconnected.getInt(EventResp.STATUS)).isEqualTo(-Errno.ETIMEDOUT);
      world.pass(TIMEWAIT);
      ending.expect(CmEventType.TIMEWAIT_EXIT);
      ignoring.file.find(ignored.getInt(EventResp.ID)).disconnect();
      assertThat(ending.next()).as("it is too late").isNull();
      world.pass(TIMEWAIT);
      ignoring.expect(CmEventType.TIMEWAIT_EXIT);
      client.file.close();
      server.file.close();
    }
  }

  @Test
  void anAnsweredOrDestroyedEndWaitsNoLonger() {
    CmId active = connected();
    assertThat(world.manager.deadlines().isEmpty()).as("confirmed").isTrue();
    active.disconnect();
    CmId passive = server.file.find(server.expect(CmEventType.DISCONNECTED).getInt(EventResp.ID));
    passive.disconnect();
    client.expect(CmEventType.DISCONNECTED);
    assertThat(world.manager.deadlines().isEmpty()).as("disconnected").isTrue();
    CmId other = client.resolved(RdmaCm.PS_TCP, SERVICE);
    other.connect(offer(0x11, ""));
    server.request().accept(78, offer(0x22, ""));
    assertThat(world.manager.deadlines().isEmpty()).isFalse();
    server.file.close();
    assertThat(world.manager.deadlines().isEmpty()).as("destroyed").isTrue();
    world.pass(TIMEWAIT);
    assertThat(world.held(Quota.CONNECTION_IDS)).as("the client's").isEqualTo(2);
  }

  @Test
  void anIdThatIsDestroyedDisconnectsItsPeer() {
    CmId active = connected();
    assertThat(active.destroy()).as("events that were read").isEqualTo(3);
    View disconnected = server.expect(CmEventType.DISCONNECTED);
    server.file.find(disconnected.getInt(EventResp.ID)).disconnect();
    world.pass(TIMEWAIT);
    assertThat(client.next()).isNull();
  }

  @Test
  void theEndOfAProcessReachesEveryPeer() {
    connected();
    CmId waiting = client.resolved(RdmaCm.PS_TCP, SERVICE);
    waiting.connect(offer(2, ""));
    CmId replied = client.resolved(RdmaCm.PS_TCP, SERVICE);
    replied.connect(offer(3, ""));
    server.expect(CmEventType.CONNECT_REQUEST);
    server.request().accept(78, offer(4, ""));
    client.expect(CmEventType.CONNECT_RESPONSE);
    server.file.close();
    client.expect(CmEventType.DISCONNECTED);
    assertThat(client.expect(CmEventType.REJECTED).getInt(EventResp.STATUS)).isEqualTo(28);
    assertThat(client.expect(CmEventType.REJECTED).getInt(EventResp.STATUS)).isEqualTo(28);
    client.file.close();
    assertThat(world.held(Quota.CONNECTION_IDS)).as("a packet may be under way").isEqualTo(1);
    world.pass(TIMEWAIT);
    assertThat(world.held(Quota.CONNECTION_IDS)).isZero();
    assertThat(world.held(Quota.PENDING_EVENTS)).isZero();
  }

  @Test
  void aDestroyedIdWithAPendingRequestKeepsItsShare() {
    CmId listener = server.id(RdmaCm.PS_TCP);
    listener.bind(SERVICE);
    listener.listen(1);
    client.resolved(RdmaCm.PS_TCP, SERVICE).connect(offer(1, ""));
    long held = world.held(Quota.CONNECTION_IDS);
    for (int i = 0; i < 10; i++) {
      CmId active = client.resolved(RdmaCm.PS_TCP, SERVICE);
      active.connect(offer(2, ""));
      active.destroy();
    }
    assertThat(world.held(Quota.CONNECTION_IDS)).isEqualTo(held + 10);
    world.pass(REQUEST_RETRY);
    assertThat(world.held(Quota.CONNECTION_IDS)).isEqualTo(held);
  }

  @Test
  void aRequestWhoseSenderGaveUpCanNotBeAccepted() {
    server.listener(RdmaCm.PS_TCP, SERVICE);
    CmId active = client.resolved(RdmaCm.PS_TCP, SERVICE);
    active.connect(offer(1, ""));
    active.destroy();
    CmId passive = server.request();
    expectRefusal(Errno.EINVAL, () -> passive.accept(77, offer(2, "")));
    assertThat(server.next()).as("an id that the client does not know yet has no events").isNull();
  }

  @Test
  void aReplyWhoseReceiverGaveUpIsRejected() {
    server.listener(RdmaCm.PS_TCP, SERVICE);
    CmId passive = passive();
    passive.accept(77, offer(2, ""));
    client.file.find(client.expect(CmEventType.CONNECT_RESPONSE).getInt(EventResp.ID)).destroy();
    View rejected = server.expect(CmEventType.REJECTED);
    assertThat(rejected.get(EventResp.UID)).isEqualTo(77);
  }

  @Test
  void anEventOfTheQueuePairEstablishesAConnectionEarly() {
    server.listener(RdmaCm.PS_TCP, SERVICE);
    CmId passive = passive();
    expectRefusal(Errno.EINVAL, () -> passive.notify(4));
    passive.accept(77, offer(2, ""));
    expectRefusal(Errno.EINVAL, () -> passive.notify(3));
    passive.notify(4);
    server.expect(CmEventType.ESTABLISHED);
    expectRefusal(Errno.EISCONN, () -> passive.notify(4));
    client
        .file
        .find(client.expect(CmEventType.CONNECT_RESPONSE).getInt(EventResp.ID))
        .acknowledge();
    assertThat(server.next()).as("a second ESTABLISHED event").isNull();
  }

  @Test
  void aRequestThatAListenerHasNoRoomForIsSentAgain() {
    CmId listener = server.id(RdmaCm.PS_TCP);
    listener.bind(SERVICE);
    listener.listen(1);
    client.resolved(RdmaCm.PS_TCP, SERVICE).connect(offer(1, ""));
    client.resolved(RdmaCm.PS_TCP, SERVICE).connect(offer(2, ""));
    server.expect(CmEventType.CONNECT_REQUEST);
    assertThat(server.next()).isNull();
    world.pass(REQUEST_RETRY);
    View second = server.expect(CmEventType.CONNECT_REQUEST);
    assertThat(param(second, ConnParam.QP_NUM)).isEqualTo(2);
  }

  @Test
  void aRequestThatAListenerNeverHasRoomForIsGivenUp() {
    CmId listener = server.id(RdmaCm.PS_TCP);
    listener.bind(SERVICE);
    listener.listen(1);
    client.resolved(RdmaCm.PS_TCP, SERVICE).connect(offer(1, ""));
    client.resolved(RdmaCm.PS_TCP, SERVICE).connect(offer(2, ""));
    world.pass(15 * REQUEST_RETRY - 1);
    assertThat(client.next()).isNull();
    world.pass(1);
    View unreachable = client.expect(CmEventType.UNREACHABLE);
    assertThat(unreachable.getInt(EventResp.STATUS)).isEqualTo(-Errno.ETIMEDOUT);
    assertThat(client.heard).singleElement().asString().contains("backlog");
  }

  @Test
  void aListenerThatEndsRejectsWhatItsProcessHasNotRead() {
    CmId listener = server.listener(RdmaCm.PS_TCP, SERVICE);
    client.resolved(RdmaCm.PS_TCP, SERVICE).connect(offer(1, ""));
    assertThat(server.ready).isTrue();
    assertThat(listener.destroy()).isZero();
    assertThat(server.ready).isFalse();
    assertThat(client.expect(CmEventType.REJECTED).getInt(EventResp.STATUS)).isEqualTo(28);
    assertThat(server.next()).isNull();
  }

  @Test
  void aListenerForAnotherKindOfQueuePairRejects() {
    CmId listener = server.file.create(9, RdmaCm.PS_IB, Verbs.QPT_UC);
    listener.bind(SERVICE);
    listener.listen(1);
    client.resolved(RdmaCm.PS_IB, SERVICE).connect(offer(1, ""));
    assertThat(client.expect(CmEventType.REJECTED).getInt(EventResp.STATUS)).isEqualTo(28);
  }

  @Test
  void unreliableConnectionsAndXrcGetTheAttributesOfTheirKind() {
    Map<Integer, Integer> receiveMasks =
        Map.of(Verbs.QPT_UC, 0x101181, Verbs.QPT_XRC_TGT, 0x129181);
    receiveMasks.forEach(
        (type, mask) -> {
          CmAddress service = ipv4(LOOPBACK, PORT + type);
          CmId listener = server.file.create(9, RdmaCm.PS_IB, type);
          listener.bind(service);
          listener.listen(1);
          CmId active =
              client.file.create(
                  8, RdmaCm.PS_IB, type == Verbs.QPT_XRC_TGT ? Verbs.QPT_XRC_INI : type);
          active.resolve(CmAddress.NONE, service);
          active.resolveRoute();
          active.connect(offer(1, ""));
          CmId passive = server.request();
          assertThat(CmQueries.attributes(passive, QpStates.RTR).getInt(QpAttr.QP_ATTR_MASK))
              .isEqualTo(mask);
          assertThat(CmQueries.attributes(passive, QpStates.RTS).getInt(QpAttr.QP_ATTR_MASK))
              .isEqualTo(type == Verbs.QPT_UC ? 0x10001 : 0x10201);
        });
  }

  @Test
  void eachOrderOfCallsIsAnsweredOrRefused() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      CmWorld own =
          new CmWorld(Map.of(Quota.CONNECTION_IDS, 64L, Quota.PENDING_EVENTS, 64L), random);
      CmWorld.Party[] parties = {own.party("a"), own.party("b"), own.party("a")};
      for (int step = 0; step < 300; step++) {
        try {
          new Storm(own, random).step(parties[random.nextInt(parties.length)], parties);
        } catch (Refusal | dev.bluebell.server.QuotaExceeded refused) {
          // As the client's errno.
        } catch (RuntimeException defect) {
          throw new AssertionError(
              "seed %d, round %d, step %d".formatted(seed, round, step), defect);
        }
      }
      for (CmWorld.Party party : parties) {
        party.file.close();
      }
      own.pass(100_000);
      assertThat(own.held(Quota.CONNECTION_IDS)).as("seed %d", seed).isZero();
      assertThat(own.held(Quota.PENDING_EVENTS)).as("seed %d", seed).isZero();
    }
  }

  /** Random calls on random ids. */
  private record Storm(CmWorld world, Random random) {
    void step(CmWorld.Party party, CmWorld.Party[] parties) {
      int number = random.nextInt(24);
      CmAddress address =
          random.nextInt(4) == 0
              ? CmAddress.any(CmAddress.INET)
              : ipv4(LOOPBACK, 5000 + random.nextInt(3));
      int space = random.nextBoolean() ? RdmaCm.PS_TCP : RdmaCm.PS_UDP;
      switch (random.nextInt(17)) {
        case 0, 1 -> party.id(space);
        case 2 -> party.file.find(number).bind(address);
        case 3 -> party.file.find(number).resolve(CmAddress.NONE, address);
        case 4 -> party.file.find(number).resolveRoute();
        case 5 -> party.file.find(number).listen(random.nextInt(3));
        case 6 -> party.file.find(number).connect(offer(number, new byte[random.nextInt(80)]));
        case 7 ->
            party
                .file
                .find(number)
                .accept(1 + number, offer(number, new byte[random.nextInt(255)]));
        case 8 -> party.file.find(number).acknowledge();
        case 9 -> party.file.find(number).reject(0, new byte[random.nextInt(200)]);
        case 10 -> party.file.find(number).disconnect();
        case 11 -> party.file.find(number).notify(random.nextInt(6));
        case 12 -> CmQueries.attributes(party.file.find(number), random.nextInt(8));
        case 13 -> party.file.find(number).destroy();
        case 14 -> party.file.find(number).moveTo(parties[random.nextInt(2) * 2].file);
        case 15 -> world.pass(random.nextInt(4000));
        default -> {
          // To get established, a connection needs its steps close together.
          View event = party.next();
          if (event != null && event.getInt(EventResp.EVENT) == 4) {
            party.file.find(event.getInt(EventResp.ID)).accept(9, offer(1, ""));
          } else if (event != null && event.getInt(EventResp.EVENT) == 5) {
            party.file.find(event.getInt(EventResp.ID)).acknowledge();
          } else if (event != null && event.getInt(EventResp.EVENT) == 0) {
            party.file.find(event.getInt(EventResp.ID)).resolveRoute();
            party.file.find(event.getInt(EventResp.ID)).connect(offer(1, ""));
          }
        }
      }
    }
  }

  @Test
  void aListenerThatLeavesBeforeTheConfirmationEndsTheConnection() {
    server.listener(RdmaCm.PS_TCP, SERVICE);
    CmId active = client.resolved(RdmaCm.PS_TCP, SERVICE);
    active.connect(offer(0x11, ""));
    CmId passive = server.request();
    passive.accept(77, offer(0x22, ""));
    client.expect(CmEventType.CONNECT_RESPONSE);
    passive.notify(4);
    passive.disconnect();
    client.expect(CmEventType.DISCONNECTED);
    expectRefusal(Errno.EINVAL, active::acknowledge);
  }

  @Test
  void theRoomOfADestroyedIdIsFreeAfterSixteenSecondsAtMost() {
    server.listener(RdmaCm.PS_TCP, SERVICE);
    CmId active = client.id(RdmaCm.PS_TCP);
    active.setAcknowledgement(255);
    active.resolve(CmAddress.NONE, SERVICE);
    client.expect(CmEventType.ADDR_RESOLVED);
    active.resolveRoute();
    client.expect(CmEventType.ROUTE_RESOLVED);
    active.connect(offer(0x11, ""));
    server.request().accept(77, offer(0x22, ""));
    client.expect(CmEventType.CONNECT_RESPONSE);
    active.acknowledge();
    client.file.close();
    server.file.close();
    world.pass(16_384);
    assertThat(world.held(Quota.CONNECTION_IDS)).isZero();
    assertThat(world.manager.ports().listeners()).isEmpty();
  }
}
