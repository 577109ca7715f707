package dev.bluebell.uverbs.cm;

import static dev.bluebell.uverbs.cm.CmWorld.offer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaManagement.Datagram;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.ConnParam;
import dev.bluebell.hca.uverbs.CmAbi.Ece;
import dev.bluebell.hca.uverbs.CmAbi.EventResp;
import dev.bluebell.hca.uverbs.CmAbi.QpAttr;
import dev.bluebell.hca.uverbs.CmAbi.UdParam;
import dev.bluebell.hca.uverbs.CmEventType;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.PdAbi.AhAttr;
import dev.bluebell.hca.uverbs.PdAbi.GlobalRoute;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.roce.packet.CmMad;
import dev.bluebell.roce.packet.CmMad.Dreq;
import dev.bluebell.roce.packet.CmMad.Ids;
import dev.bluebell.roce.packet.CmMad.Message;
import dev.bluebell.roce.packet.CmMad.Mra;
import dev.bluebell.roce.packet.CmMad.Rej;
import dev.bluebell.roce.packet.CmMad.Req;
import dev.bluebell.roce.packet.CmMad.SidrReq;
import dev.bluebell.server.Quota;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.qp.QpStates;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections between two devices, datagram by datagram. */
class NetworkTest {
  private static final int PORT = 7174;
  private static final long REQUEST_RETRY = 6144;
  private static final long REPLY_RETRY = 4096;
  private static final long TIMEWAIT = 2048;
  private static final long GIVEN_UP = 16 * REQUEST_RETRY + 1;

  private final TwoManagers managers = new TwoManagers();
  private final CmWorld.Party client = managers.near.world.party("client");
  private final CmWorld.Party server = managers.far.world.party("server");
  private final CmAddress service = managers.far.address(PORT);

  private static Predicate<Mad> is(Message message) {
    return mad -> mad.message() == message;
  }

  /** True for the first datagram of a kind, once. */
  private static Predicate<Mad> first(Message message) {
    AtomicInteger count = new AtomicInteger();
    return mad -> mad.message() == message && count.getAndIncrement() == 0;
  }

  private CmId asked() {
    server.listener(RdmaCm.PS_TCP, service);
    CmId active = client.resolved(RdmaCm.PS_TCP, service);
    active.connect(offer(0x11, "hello"));
    managers.deliver();
    return active;
  }

  /** The requesting end of an established connection. */
  private CmId connected() {
    return accepted(client, asked(), offer(0x22, "welcome"));
  }

  /** The requesting end of one of many established connections; both queue pairs have a number. */
  private CmId connected(CmWorld.Party from, int qpn) {
    CmId active = from.resolved(RdmaCm.PS_TCP, service);
    active.connect(offer(qpn, ""));
    managers.deliver();
    return accepted(from, active, offer(qpn, ""));
  }

  private CmId accepted(CmWorld.Party from, CmId active, Offer answer) {
    server.request().accept(77, answer);
    managers.deliver();
    from.expect(CmEventType.CONNECT_RESPONSE);
    active.acknowledge();
    managers.deliver();
    server.expect(CmEventType.ESTABLISHED);
    return active;
  }

  private CmId passive() {
    return managers.far.world.manager.find(CmId.class, 1);
  }

  private void expectNothingLeft() {
    managers.pass(2 * GIVEN_UP);
    assertThat(managers.near.network.size()).isZero();
    assertThat(managers.far.network.size()).isZero();
    assertThat(managers.near.network.deadlines().isEmpty()).isTrue();
    assertThat(managers.far.network.deadlines().isEmpty()).isTrue();
  }

  // ---- establishing and ending a connection

  static Stream<List<Gid>> addresses() {
    return Stream.of(
        List.of(TwoManagers.NEAR, TwoManagers.FAR),
        List.of(new Gid(0xfd00L << 48, 2), new Gid(0xfd00L << 48, 3)));
  }

  @ParameterizedTest
  @MethodSource("addresses")
  void aConnectionTakesThreeDatagramsAndItsEndTwo(List<Gid> gids) {
    TwoManagers two = new TwoManagers(gids.get(0), gids.get(1), 1, Map.of());
    CmWorld.Party near = two.near.world.party("client");
    CmWorld.Party far = two.far.world.party("server");
    CmAddress destination = two.far.address(PORT);
    far.listener(RdmaCm.PS_TCP, destination);
    CmId active = near.resolved(RdmaCm.PS_TCP, destination);
    assertThat(active.addressing().source().host()).isEqualTo(two.near.address(0).host());
    active.connect(offer(0x11, "hello"));
    two.deliver();

    View request = far.expect(CmEventType.CONNECT_REQUEST);
    CmId passive = far.file.find(request.getInt(EventResp.ID));
    assertThat(passive.addressing().source().toString()).isEqualTo(destination.toString());
    assertThat(passive.addressing().destination().toString())
        .isEqualTo(active.addressing().source().toString());
    View param = request.at(EventResp.CONN);
    assertThat(param.getInt(ConnParam.QP_NUM)).isEqualTo(0x11);
    assertThat(param.getInt(ConnParam.RESPONDER_RESOURCES)).isEqualTo(5);
    assertThat(param.getInt(ConnParam.INITIATOR_DEPTH)).isEqualTo(3);
    assertThat(param.getInt(ConnParam.RETRY_COUNT)).isEqualTo(7);
    assertThat(param.getInt(ConnParam.RNR_RETRY_COUNT)).isEqualTo(6);
    assertThat(param.getInt(ConnParam.PRIVATE_DATA_LEN)).isEqualTo(56);
    assertThat(new String(param.getBytes(ConnParam.PRIVATE_DATA), UTF_8)).startsWith("hello\0");
    assertThat(request.at(EventResp.ECE).getInt(Ece.VENDOR_ID)).isEqualTo(0x15b3);
    assertThat(request.at(EventResp.ECE).getInt(Ece.ATTR_MOD)).isEqualTo(9);

    View receives = CmQueries.attributes(passive, QpStates.RTR);
    assertThat(receives.getInt(QpAttr.DEST_QP_NUM)).isEqualTo(0x11);
    View route = receives.at(QpAttr.AH_ATTR).at(AhAttr.GRH);
    assertThat(route.getBytes(GlobalRoute.DGID)).isEqualTo(two.near.gid.bytes());
    assertThat(route.getInt(GlobalRoute.SGID_INDEX)).isEqualTo(3);
    View sends = CmQueries.attributes(passive, QpStates.RTS);
    assertThat(sends.getInt(QpAttr.TIMEOUT)).isEqualTo(19);

    passive.accept(77, offer(0x22, "welcome"));
    two.deliver();
    View response = near.expect(CmEventType.CONNECT_RESPONSE).at(EventResp.CONN);
    assertThat(response.getInt(ConnParam.QP_NUM)).isEqualTo(0x22);
    assertThat(response.getInt(ConnParam.PRIVATE_DATA_LEN)).isEqualTo(196);
    View others = CmQueries.attributes(active, QpStates.RTR);
    assertThat(others.getInt(QpAttr.DEST_QP_NUM)).isEqualTo(0x22);
    assertThat(others.at(QpAttr.AH_ATTR).at(AhAttr.GRH).getBytes(GlobalRoute.DGID))
        .isEqualTo(two.far.gid.bytes());
    assertThat(others.getInt(QpAttr.RQ_PSN)).isEqualTo(sends.getInt(QpAttr.SQ_PSN));
    assertThat(CmQueries.attributes(active, QpStates.RTS).getInt(QpAttr.SQ_PSN))
        .isEqualTo(receives.getInt(QpAttr.RQ_PSN));
    assertThat(far.next()).isNull();
    active.acknowledge();
    two.deliver();
    far.expect(CmEventType.ESTABLISHED);

    active.disconnect();
    two.deliver();
    far.expect(CmEventType.DISCONNECTED);
    assertThat(near.next()).as("the peer has not agreed yet").isNull();
    passive.disconnect();
    two.deliver();
    near.expect(CmEventType.DISCONNECTED);
    two.pass(TIMEWAIT);
    near.expect(CmEventType.TIMEWAIT_EXIT);
    far.expect(CmEventType.TIMEWAIT_EXIT);
    assertThat(two.sent)
        .extracting(Mad::message)
        .containsExactly(Message.REQ, Message.REP, Message.RTU, Message.DREQ, Message.DREP);
    assertThat(two.near.network.size()).isZero();
    assertThat(two.far.network.size()).isZero();
  }

  @Test
  void aRequestHasTheFieldsThatLinuxGivesIt() {
    CmId active = asked();
    Mad req = managers.sent.getFirst();
    assertThat(req.get(Req.SERVICE_ID)).isEqualTo(0x0106_1c06L);
    assertThat(req.gid(Req.LOCAL_GID)).isEqualTo(TwoManagers.NEAR);
    assertThat(req.gid(Req.REMOTE_GID)).isEqualTo(TwoManagers.FAR);
    assertThat(req.source().orElseThrow().toString())
        .isEqualTo(active.addressing().source().toString());
    assertThat(req.destination(PORT).orElseThrow().toString()).isEqualTo(service.toString());
    assertThat(req.getInt(Req.LOCAL_LID)).isEqualTo(0xffff);
    assertThat(req.getInt(Req.P_KEY)).isEqualTo(0xffff);
    assertThat(req.getInt(Req.MAX_CM_RETRIES)).isEqualTo(15);
    assertThat(req.getInt(Req.REMOTE_RESPONSE_TIMEOUT)).isEqualTo(20);
    assertThat(req.getInt(Req.LOCAL_RESPONSE_TIMEOUT)).isEqualTo(20);
    assertThat(req.getInt(Req.ACK_TIMEOUT)).isEqualTo(19);
    assertThat(req.getInt(Req.HOP_LIMIT)).isEqualTo(64);
    assertThat(req.getInt(Req.MTU)).isEqualTo(5);
    assertThat(req.getInt(Req.SUBNET_LOCAL)).isZero();
  }

  @Test
  void aPeerThatStartsAgainMayUseItsIdOfAConnectionThatIsOverForANewRequest() {
    CmId active = connected();
    active.disconnect();
    managers.deliver();
    passive().disconnect();
    managers.pass(3_600_000);
    server.expect(CmEventType.DISCONNECTED);
    server.expect(CmEventType.TIMEWAIT_EXIT);
    Mad old = managers.sent.getFirst();
    managers.far.arrive(TwoManagers.NEAR, old);
    assertThat(server.next()).as("a late repetition of the old request").isNull();
    Mad fresh = copy(old, old.getInt(Req.LOCAL_ID)).set(Req.QPN, 0x77);
    CmMad.TRANSACTION.put(fresh.bytes(), 0, old.transaction() + 1);
    managers.far.arrive(TwoManagers.NEAR, fresh);
    server.expect(CmEventType.CONNECT_REQUEST);
    assertThat(managers.far.network.size()).isOne();
    assertThat(managers.far.network.remembered()).isZero();
  }

  // ---- losses and repetitions

  @ParameterizedTest
  @EnumSource(names = {"REQ", "REP", "RTU", "DREQ", "DREP"})
  void aMessageThatIsLostIsSentAgain(Message message) {
    managers.cut = first(message);
    CmId active = asked();
    if (message == Message.REQ) {
      assertThat(server.next()).isNull();
      managers.pass(REQUEST_RETRY);
    }
    CmId passive = server.request();
    passive.accept(77, offer(0x22, ""));
    managers.deliver();
    if (message == Message.REP) {
      assertThat(client.next()).isNull();
      managers.pass(REPLY_RETRY);
    }
    client.expect(CmEventType.CONNECT_RESPONSE);
    active.acknowledge();
    managers.deliver();
    if (message == Message.RTU) {
      assertThat(server.next()).isNull();
      managers.pass(REPLY_RETRY);
    }
    server.expect(CmEventType.ESTABLISHED);
    active.disconnect();
    managers.deliver();
    if (message == Message.DREQ) {
      assertThat(server.next()).isNull();
      managers.pass(REQUEST_RETRY);
    }
    server.expect(CmEventType.DISCONNECTED);
    passive.disconnect();
    managers.deliver();
    if (message == Message.DREP) {
      assertThat(client.next()).isNull();
      managers.pass(REQUEST_RETRY);
    }
    client.expect(CmEventType.DISCONNECTED);
    managers.pass(TIMEWAIT);
    client.expect(CmEventType.TIMEWAIT_EXIT);
    server.expect(CmEventType.TIMEWAIT_EXIT);
    assertThat(client.next()).isNull();
    assertThat(server.next()).isNull();
    assertThat(managers.lost).isOne();
    expectNothingLeft();
  }

  @Test
  void aRequestWithoutAnAnswerIsGivenUpAfterFifteenRepetitions() {
    managers.cut = mad -> true;
    CmId active = asked();
    managers.pass(15 * REQUEST_RETRY);
    assertThat(managers.sent).hasSize(16);
    assertThat(client.next()).isNull();
    managers.pass(REQUEST_RETRY);
    View event = client.expect(CmEventType.UNREACHABLE);
    assertThat(event.getInt(EventResp.STATUS)).isEqualTo(-Errno.ETIMEDOUT);
    assertThat(client.heard)
        .singleElement()
        .asString()
        .contains("127.0.0.3 port 7174", "got no answer", "bluebell ping 127.0.0.3");
    active.destroy();
    expectNothingLeft();
    assertThat(managers.sent).as("nothing is sent after that").hasSize(16);
  }

  @Test
  void aReplyWithoutAConfirmationIsGivenUp() {
    managers.cut = is(Message.RTU);
    CmId active = asked();
    server.request().accept(77, offer(0x22, ""));
    managers.deliver();
    client.expect(CmEventType.CONNECT_RESPONSE);
    active.acknowledge();
    managers.pass(16 * REPLY_RETRY + 1);
    View event = server.expect(CmEventType.UNREACHABLE);
    assertThat(event.getInt(EventResp.STATUS)).isEqualTo(-Errno.ETIMEDOUT);
    assertThat(managers.count(is(Message.REP))).isEqualTo(16);
    assertThat(managers.count(is(Message.RTU))).as("one RTU for each reply").isEqualTo(16);
  }

  @Test
  void aDisconnectionWithoutAnAnswerEndsTheConnectionAllTheSame() {
    CmId active = connected();
    managers.cut = mad -> true;
    active.disconnect();
    managers.pass(GIVEN_UP);
    View event = client.expect(CmEventType.DISCONNECTED);
    assertThat(event.getInt(EventResp.STATUS)).isEqualTo(-Errno.ETIMEDOUT);
    managers.pass(TIMEWAIT);
    client.expect(CmEventType.TIMEWAIT_EXIT);
  }

  /** As in {@code cm.c: cm_establish_handler}, which cancels the repetitions of the reply. */
  @Test
  void aConnectionThatDataEstablishedCanBeEndedAfterItsPeerIsGone() {
    CmId unused = asked();
    CmId passive = server.request();
    passive.accept(77, offer(0x22, "welcome"));
    managers.deliver();
    passive.notify(4);
    server.expect(CmEventType.ESTABLISHED);
    managers.cut = mad -> true;
    managers.pass(GIVEN_UP);
    passive.disconnect();
    managers.pass(GIVEN_UP);
    View event = server.expect(CmEventType.DISCONNECTED);
    assertThat(event.getInt(EventResp.STATUS)).isEqualTo(-Errno.ETIMEDOUT);
    assertThat(managers.count(is(Message.REP))).as("it is not repeated").isEqualTo(1);
    assertThat(managers.far.network.size()).isZero();
  }

  @Test
  void aProcessMayTakeItsTimeForAnAnswer() {
    CmId active = asked();
    View request = server.expect(CmEventType.CONNECT_REQUEST);
    managers.pass(GIVEN_UP);
    assertThat(client.next()).as("longer than requests are repeated").isNull();
    assertThat(managers.count(is(Message.MRA))).isPositive();
    Mad mra = managers.last(Message.MRA).orElseThrow();
    assertThat(mra.getInt(Mra.MESSAGE)).isZero();
    assertThat(mra.getInt(Mra.SERVICE_TIMEOUT)).isEqualTo(24);
    assertThat(managers.count(is(Message.REQ))).as("one REQ every 70 s").isLessThan(5);
    server.file.find(request.getInt(EventResp.ID)).accept(77, offer(0x22, ""));
    managers.deliver();
    client.expect(CmEventType.CONNECT_RESPONSE);
    managers.pass(REPLY_RETRY);
    assertThat(managers.last(Message.MRA).orElseThrow().getInt(Mra.MESSAGE)).isOne();
    active.acknowledge();
    managers.deliver();
    server.expect(CmEventType.ESTABLISHED);
    assertThat(server.next()).isNull();
  }

  @Test
  void aPeerExtendsTheWaitForAnAnswerOnceForEachTimeThatTheRequestIsSent() {
    managers.cut = is(Message.MRA);
    asked();
    managers.pass(REQUEST_RETRY);
    Mad mra = managers.last(Message.MRA).orElseThrow().set(Mra.SERVICE_TIMEOUT, 24);
    for (int seconds = 0; seconds < 16 * (66 + 5); seconds++) {
      managers.near.arrive(TwoManagers.FAR, mra);
      managers.pass(1000);
    }
    assertThat(client.expect(CmEventType.UNREACHABLE).getInt(EventResp.STATUS))
        .isEqualTo(-Errno.ETIMEDOUT);
    assertThat(managers.count(is(Message.REQ))).isEqualTo(16);
  }

  @Test
  void theEndOfAProcessReachesItsPeerOverALossyNetwork() {
    CmId active = connected();
    managers.cut = first(Message.DREQ);
    active.destroy();
    managers.deliver();
    assertThat(server.next()).isNull();
    managers.pass(REQUEST_RETRY);
    server.expect(CmEventType.DISCONNECTED);
    passive().destroy();
    expectNothingLeft();
  }

  @Test
  void bothEndsMayDisconnectAtOnce() {
    CmId active = connected();
    active.disconnect();
    passive().disconnect();
    managers.deliver();
    client.expect(CmEventType.DISCONNECTED);
    server.expect(CmEventType.DISCONNECTED);
    active.destroy();
    passive().destroy();
    expectNothingLeft();
    assertThat(client.next()).isNull();
    assertThat(server.next()).isNull();
  }

  // ---- rejections

  private int reason() {
    managers.deliver();
    return client.expect(CmEventType.REJECTED).getInt(EventResp.STATUS);
  }

  @Test
  void aRequestWithoutAListenerIsRejectedWithReasonEight() {
    CmId active = client.resolved(RdmaCm.PS_TCP, service);
    server.listener(RdmaCm.PS_UDP, service);
    active.connect(offer(1, ""));
    assertThat(reason()).isEqualTo(8);
    assertThat(client.heard)
        .singleElement()
        .asString()
        .contains("127.0.0.3 port 7174 (RDMA_PS_TCP)", "on the device with this address");
    expectNothingLeft();
  }

  @Test
  void aListenerRejectsWithItsDataAndOnceOnly() {
    managers.cut = first(Message.REJ);
    asked();
    CmId passive = server.request();
    passive.reject(0, "no room".getBytes(UTF_8));
    passive.destroy();
    managers.deliver();
    assertThat(client.next()).as("the rejection is lost").isNull();
    managers.pass(REQUEST_RETRY);
    View event = client.expect(CmEventType.REJECTED);
    assertThat(event.getInt(EventResp.STATUS)).isEqualTo(28);
    View param = event.at(EventResp.CONN);
    assertThat(param.getInt(ConnParam.PRIVATE_DATA_LEN)).isEqualTo(148);
    assertThat(new String(param.getBytes(ConnParam.PRIVATE_DATA), UTF_8)).startsWith("no room\0");
    assertThat(server.next()).as("the request that came again").isNull();
    expectNothingLeft();
  }

  @Test
  void theRequestingEndMayRejectTheReplyOrGiveUp() {
    CmId active = asked();
    CmId passive = server.request();
    active.destroy();
    managers.deliver();
    View event = server.next();
    assertThat(event).as("events of an id that is not accepted are dropped").isNull();
    assertThatThrownBy(() -> passive.accept(77, offer(0x22, ""))).isInstanceOf(Refusal.class);
    assertThat(managers.last(Message.REJ).orElseThrow().getInt(Rej.REASON)).isEqualTo(4);

    CmId other = client.resolved(RdmaCm.PS_TCP, service);
    other.connect(offer(0x12, ""));
    managers.deliver();
    server.request().accept(78, offer(0x23, ""));
    managers.deliver();
    client.expect(CmEventType.CONNECT_RESPONSE);
    other.reject(0, new byte[0]);
    managers.deliver();
    assertThat(server.expect(CmEventType.REJECTED).getInt(EventResp.STATUS)).isEqualTo(28);
    assertThat(managers.last(Message.REJ).orElseThrow().getInt(Rej.MESSAGE)).isOne();
  }

  @Test
  void aPeerThatGivesUpBeforeTheReplyReachesItEndsTheConnection() {
    CmId active = asked();
    server.request().accept(77, offer(0x22, ""));
    active.destroy();
    managers.deliver();
    assertThat(server.expect(CmEventType.REJECTED).getInt(EventResp.STATUS)).isEqualTo(4);
    expectNothingLeft();
  }

  @Test
  void requestsThatThisDeviceCanNotServeAreRejectedForReasonsOfTheirOwn() {
    asked();
    Mad req = managers.sent.getFirst();
    server.request();
    Map<Integer, Mad> refused =
        Map.of(
            9, copy(req, 1).set(Req.TRANSPORT, 2),
            26, copy(req, 2).set(Req.MTU, 6),
            12, copy(req, 3).setGid(Req.LOCAL_GID, Gid.ofIpv4(0x7f000009)),
            8, copy(req, 4).set(Req.SERVICE_ID, 0x1_0106_1c06L),
            10, copy(req, 5),
            28, copy(req, 6).set(Req.TRANSPORT, 1).set(Req.QPN, 6));
    refused.forEach(
        (reason, request) -> {
          managers.far.arrive(TwoManagers.NEAR, request);
          Mad rej = managers.last(Message.REJ).orElseThrow();
          assertThat(rej.getInt(Rej.REASON)).isEqualTo(reason);
          assertThat(rej.getInt(Ids.REMOTE)).isEqualTo(request.getInt(Req.LOCAL_ID));
          assertThat(rej.transaction()).isEqualTo(request.transaction());
          assertThat(server.next()).isNull();
        });
    assertThat(managers.far.network.size()).as("the first request alone").isOne();
  }

  private static Mad copy(Mad mad, int id) {
    byte[] bytes = mad.bytes().array().clone();
    return Mad.of(bytes).orElseThrow().set(Req.LOCAL_ID, id);
  }

  @Test
  void aPeerThatForgotAConnectionGetsANewOneForItsQueuePair() {
    connected();
    // The peer restarts: its connection manager has lost the connection.
    Mad req = copy(managers.sent.getFirst(), 0x1234);
    managers.cut = mad -> true;
    managers.far.arrive(TwoManagers.NEAR, req);
    assertThat(managers.last(Message.REJ).orElseThrow().getInt(Rej.REASON)).isEqualTo(10);
    Mad dreq = managers.last(Message.DREQ).orElseThrow();
    assertThat(dreq.getInt(Dreq.REMOTE_QPN)).isEqualTo(0x11);
    managers.far.arrive(
        TwoManagers.NEAR,
        Mad.of(Message.DREP, dreq.transaction())
            .set(Ids.LOCAL, dreq.getInt(Ids.REMOTE))
            .set(Ids.REMOTE, dreq.getInt(Ids.LOCAL)));
    server.expect(CmEventType.DISCONNECTED);
    managers.far.arrive(TwoManagers.NEAR, copy(req, 0x1235));
    server.expect(CmEventType.CONNECT_REQUEST);
  }

  // ---- addresses

  @Test
  void theNetworkReachesAddressesOfItsIpVersionFromTheDevicesOwn() {
    CmId other = client.id(RdmaCm.PS_TCP);
    other.resolve(CmAddress.NONE, CmAddress.of(new Gid(0xfd00L << 48, 3), PORT));
    View event = client.expect(CmEventType.ADDR_ERROR);
    assertThat(event.getInt(EventResp.STATUS)).isEqualTo(-Errno.ENODEV);
    assertThat(client.heard).last().asString().contains("of the same IP version");
    CmId bound = client.id(RdmaCm.PS_TCP);
    bound.bind(CmAddress.loopback(CmAddress.INET, 0));
    bound.resolve(CmAddress.NONE, service);
    client.expect(CmEventType.ADDR_ERROR);
    CmId taken = client.id(RdmaCm.PS_TCP);
    assertThatThrownBy(() -> taken.bind(service))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("use its own, 127.0.0.2");
  }

  @Test
  void idsOfOneDeviceReachEachOtherWithoutTheNetwork() {
    for (CmAddress own :
        List.of(managers.near.address(PORT), CmAddress.loopback(CmAddress.INET, PORT + 1))) {
      client.listener(RdmaCm.PS_TCP, own);
      CmId active = client.resolved(RdmaCm.PS_TCP, own);
      active.connect(offer(1, ""));
      client.request();
    }
    assertThat(managers.sent).isEmpty();
  }

  // ---- datagrams

  @ParameterizedTest
  @EnumSource(names = {"SIDR_REQ", "SIDR_REP", "DREQ"})
  void aSidrRequestIsAnsweredOnceEvenIfAMessageIsLost(Message message) {
    managers.cut = first(message);
    server.listener(RdmaCm.PS_UDP, service);
    CmId active = client.resolved(RdmaCm.PS_UDP, service);
    active.connect(offer(0, "who"));
    managers.deliver();
    if (message == Message.SIDR_REQ) {
      managers.pass(REPLY_RETRY);
    }
    View request = server.expect(CmEventType.CONNECT_REQUEST);
    View data = request.at(EventResp.UD);
    assertThat(data.getInt(UdParam.PRIVATE_DATA_LEN)).isEqualTo(180);
    assertThat(new String(data.getBytes(UdParam.PRIVATE_DATA), UTF_8)).startsWith("who\0");
    CmId passive = server.file.find(request.getInt(EventResp.ID));
    passive.accept(77, offer(0x33, "me"));
    passive.destroy();
    managers.deliver();
    if (message == Message.SIDR_REP) {
      managers.pass(REPLY_RETRY);
    }
    View found = client.expect(CmEventType.ESTABLISHED).at(EventResp.UD);
    assertThat(found.getInt(UdParam.QP_NUM)).isEqualTo(0x33);
    assertThat(found.getInt(UdParam.QKEY)).isEqualTo(0x01234567);
    assertThat(found.at(UdParam.AH_ATTR).at(AhAttr.GRH).getBytes(GlobalRoute.DGID))
        .isEqualTo(TwoManagers.FAR.bytes());
    assertThat(new String(found.getBytes(UdParam.PRIVATE_DATA), UTF_8)).startsWith("me\0");
    assertThat(server.next()).as("a second request event").isNull();
    expectNothingLeft();
  }

  @Test
  void aRejectedOrUnansweredSidrRequestIsUnreachable() {
    CmId nobody = client.resolved(RdmaCm.PS_UDP, service);
    nobody.connect(offer(0, ""));
    managers.deliver();
    assertThat(client.expect(CmEventType.UNREACHABLE).getInt(EventResp.STATUS)).isOne();
    server.listener(RdmaCm.PS_UDP, service);
    CmId rejected = client.resolved(RdmaCm.PS_UDP, service);
    rejected.connect(offer(0, ""));
    managers.deliver();
    server.request().reject(0, new byte[0]);
    managers.deliver();
    assertThat(client.expect(CmEventType.UNREACHABLE).getInt(EventResp.STATUS)).isEqualTo(2);
    managers.cut = mad -> true;
    CmId unheard = client.resolved(RdmaCm.PS_UDP, service);
    unheard.connect(offer(0, ""));
    managers.pass(16 * REPLY_RETRY + 1);
    assertThat(client.expect(CmEventType.UNREACHABLE).getInt(EventResp.STATUS))
        .isEqualTo(-Errno.ETIMEDOUT);
    expectNothingLeft();
  }

  @Test
  void aSidrRequestEndsWithItsId() {
    managers.cut = mad -> true;
    CmId gone = client.resolved(RdmaCm.PS_UDP, service);
    gone.connect(offer(0, ""));
    gone.destroy();
    assertThat(managers.near.network.size()).isZero();
    assertThat(managers.near.network.deadlines().isEmpty()).isTrue();
  }

  @Test
  void theSidrRequestOfPingIsAnsweredWithItsServiceId() {
    Mad question =
        Mad.of(Message.SIDR_REQ, 5).set(SidrReq.REQUEST_ID, 6).set(SidrReq.SERVICE_ID, 7);
    managers.near.network.arrived(new Datagram(TwoManagers.FAR, 0x99, question.bytes().array()));
    Mad answer = managers.last(Message.SIDR_REP).orElseThrow();
    assertThat(answer.getInt(CmMad.SidrRep.STATUS)).isOne();
    assertThat(answer.getInt(CmMad.SidrRep.REQUEST_ID)).isEqualTo(6);
    assertThat(answer.get(CmMad.SidrRep.SERVICE_ID)).isEqualTo(7);
    assertThat(managers.near.network.size()).isZero();
  }

  // ---- room

  @Test
  void aRequestThatAListenerHasNoRoomForIsTakenWhenItComesAgain() {
    CmId listener = server.id(RdmaCm.PS_TCP);
    listener.bind(service);
    listener.listen(1);
    for (int i = 0; i < 2; i++) {
      client.resolved(RdmaCm.PS_TCP, service).connect(offer(0x11 + i, ""));
    }
    managers.deliver();
    server.request();
    assertThat(server.next()).isNull();
    assertThat(managers.far.drops(CmCounts.Drop.NO_ROOM)).isOne();
    managers.pass(REQUEST_RETRY);
    server.request();
    assertThat(server.next()).isNull();
  }

  @Test
  void aFloodOfRequestsTakesNoMoreThanTheListenersShare() {
    TwoManagers small =
        new TwoManagers(TwoManagers.NEAR, TwoManagers.FAR, 3, Map.of(Quota.CONNECTION_IDS, 64L));
    CmWorld.Party listening = small.far.world.party("server");
    listening.listener(RdmaCm.PS_TCP, small.far.address(PORT));
    CmWorld.Party asking = small.near.world.party("client");
    CmId active = asking.resolved(RdmaCm.PS_TCP, small.far.address(PORT));
    active.connect(offer(0x11, ""));
    small.deliver();
    Mad req = small.sent.getFirst();
    small.cut = mad -> true;
    for (int i = 1; i <= 100_000; i++) {
      small.far.arrive(TwoManagers.NEAR, copy(req, i).set(Req.QPN, i));
      if (i % 3 == 0 && listening.ready) {
        // A limited number of rejections is remembered.
        CmId request = listening.request();
        request.reject(0, new byte[0]);
        request.destroy();
      }
      small.sent.clear();
    }
    assertThat(small.far.network.size()).isLessThan(64);
    assertThat(small.far.network.remembered()).isEqualTo(Network.MOST_ENDED);
  }

  @Test
  void unansweredSidrRequestsOfOneClientDoNotKeepAnotherFromSending() {
    managers.cut = mad -> true;
    for (int i = 0; i < 4096; i++) {
      client.resolved(RdmaCm.PS_UDP, service).connect(offer(0, ""));
    }
    managers.sent.clear();
    CmWorld.Party other = managers.near.world.party("other");
    other.resolved(RdmaCm.PS_UDP, service).connect(offer(0, ""));
    assertThat(managers.sent).extracting(Mad::message).containsExactly(Message.SIDR_REQ);
  }

  @Test
  void unansweredDisconnectionsOfOneClientDoNotCutShortThoseOfAnother() {
    server.listener(RdmaCm.PS_TCP, service);
    managers.cut = is(Message.DREQ);
    connected(managers.near.world.party("other"), 1).destroy();
    for (int i = 0; i < Network.MOST_DISCONNECTING; i++) {
      connected(client, 2 + i).destroy();
    }
    assertThat(managers.near.network.remembered()).as("given up").isOne();
    managers.sent.clear();
    managers.pass(REQUEST_RETRY);
    assertThat(managers.count(mad -> mad.getInt(Dreq.REMOTE_QPN) == 1)).isOne();
    assertThat(managers.count(mad -> mad.getInt(Dreq.REMOTE_QPN) == 2)).isZero();
  }

  @Test
  void theOldestUnansweredDisconnectionIsGivenUpIfEachClientHasOne() {
    server.listener(RdmaCm.PS_TCP, service);
    managers.cut = is(Message.DREQ);
    for (int i = 0; i <= Network.MOST_DISCONNECTING; i++) {
      connected(managers.near.world.party("client " + i), 1 + i).destroy();
    }
    assertThat(managers.near.network.remembered()).as("given up").isOne();
    managers.sent.clear();
    managers.pass(REQUEST_RETRY);
    assertThat(managers.count(mad -> mad.getInt(Dreq.REMOTE_QPN) == 1)).isZero();
    assertThat(managers.count(is(Message.DREQ))).isEqualTo(Network.MOST_DISCONNECTING);
  }

  /** Counts how often one of its processes is looked up. */
  private static final class Lookups {
    private int count;

    private final class Process {
      @Override
      public int hashCode() {
        count++;
        return System.identityHashCode(this);
      }

      @Override
      public boolean equals(Object other) {
        return this == other;
      }
    }
  }

  /** Disconnecting holds the lock of all clients. */
  @ParameterizedTest
  @ValueSource(ints = {1, Network.MOST_DISCONNECTING})
  void aDisconnectionBeyondTheMostLooksAtFewOfTheOthers(int clients) {
    server.listener(RdmaCm.PS_TCP, service);
    managers.cut = is(Message.DREQ);
    Lookups lookups = new Lookups();
    List<CmWorld.Party> parties =
        Stream.generate(() -> managers.near.world.party(lookups.new Process()))
            .limit(clients)
            .toList();
    for (int i = 0; i < Network.MOST_DISCONNECTING; i++) {
      connected(parties.get(i % clients), 1 + i).destroy();
    }
    CmId last = connected(parties.getFirst(), 1 + Network.MOST_DISCONNECTING);
    int before = lookups.count;
    last.destroy();
    assertThat(managers.near.network.remembered()).as("given up").isOne();
    assertThat(lookups.count - before).isLessThan(20);
  }

  @Test
  void aDisconnectionThatCrossesThePeersIsNotGivenUp() {
    server.listener(RdmaCm.PS_TCP, service);
    CmId crossing = connected(client, 1);
    crossing.disconnect();
    passive().disconnect();
    managers.deliver();
    client.expect(CmEventType.DISCONNECTED);
    server.expect(CmEventType.DISCONNECTED);
    managers.cut = is(Message.DREQ);
    for (int i = 0; i < Network.MOST_DISCONNECTING; i++) {
      connected(client, 2 + i).destroy();
    }
    assertThat(managers.near.network.remembered()).isZero();
  }

  @Test
  void messagesForWhichTheDeviceHasNoRoomAreSentWhenItHas() {
    server.listener(RdmaCm.PS_TCP, service);
    List<CmId> ids =
        Stream.generate(() -> client.resolved(RdmaCm.PS_TCP, service)).limit(4).toList();
    managers.near.room = 1;
    for (int i = 0; i < ids.size(); i++) {
      ids.get(i).connect(offer(1 + i, ""));
    }
    ids.getLast().destroy();
    managers.pass(100);
    assertThat(managers.count(is(Message.REQ))).isOne();
    for (int i = 1; i < 5; i++) {
      managers.near.room = 1;
      managers.pass(10);
      assertThat(managers.sent).as("one at a time").hasSize(1 + i);
    }
    assertThat(managers.sent)
        .as("in their order")
        .extracting(Mad::message)
        .containsExactly(Message.REQ, Message.REQ, Message.REQ, Message.REQ, Message.REJ);
    managers.near.room = 100;
    managers.pass(100);
    assertThat(managers.sent).hasSize(5);
    assertThat(managers.near.drops(CmCounts.Drop.UNSENT)).isZero();
  }

  @Test
  void aDisconnectionThatIsGivenUpReachesItsPeer() {
    server.listener(RdmaCm.PS_TCP, service);
    for (int i = 0; i < Network.MOST_DISCONNECTING + 10; i++) {
      CmId unused = connected(client, 1 + i);
    }
    managers.near.room = 0;
    client.file.close();
    assertThat(managers.near.network.remembered()).as("given up").isEqualTo(10);
    for (int i = 0; i < 20; i++) {
      managers.near.room = 256;
      managers.pass(10);
    }
    assertThat(managers.count(is(Message.DREQ))).isEqualTo(Network.MOST_DISCONNECTING + 10);
  }

  @Test
  void waitingMessagesOfOneClientLeaveRoomForThoseOfOthers() {
    managers.near.room = 0;
    int waiting = 0;
    for (; managers.near.drops(CmCounts.Drop.UNSENT) == 0; waiting++) {
      client.resolved(RdmaCm.PS_TCP, service).connect(offer(1, ""));
    }
    managers.near.world.party("other").resolved(RdmaCm.PS_TCP, service).connect(offer(2, ""));
    assertThat(managers.near.drops(CmCounts.Drop.UNSENT)).as("of the first client").isOne();
    for (int sent = 0; sent < waiting; sent += 256) {
      managers.near.room = 256;
      managers.pass(10);
    }
    assertThat(managers.count(is(Message.REQ)))
        .as("without the dropped one, with the other's")
        .isEqualTo(waiting);
  }

  @Test
  void answersToStrangersWaitForNoRoom() {
    managers.far.room = 0;
    managers.far.arrive(TwoManagers.NEAR, ids(Mad.of(Message.DREQ, 9), 5, 6));
    managers.far.room = 100;
    managers.pass(1000);
    assertThat(managers.sent).isEmpty();
    assertThat(managers.far.drops(CmCounts.Drop.UNSENT)).isOne();
  }

  // ---- strangers

  @Test
  void datagramsThatDoNotComeFromThePeerChangeNothing() {
    connected();
    Mad rtu = managers.last(Message.RTU).orElseThrow();
    int own = rtu.getInt(Ids.REMOTE);
    int peer = rtu.getInt(Ids.LOCAL);
    int sent = managers.sent.size();
    Mad dreq =
        Mad.of(Message.DREQ, 1)
            .set(Ids.LOCAL, peer)
            .set(Ids.REMOTE, own)
            .set(Dreq.REMOTE_QPN, 0x22);
    managers.far.arrive(Gid.ofIpv4(0x7f000009), dreq);
    managers.far.arrive(TwoManagers.NEAR, ids(dreq, peer + 1, own));
    managers.far.arrive(TwoManagers.NEAR, ids(dreq, peer, own).set(Dreq.REMOTE_QPN, 0x23));
    managers.far.arrive(Gid.ofIpv4(0x7f000009), ids(Mad.of(Message.REJ, 1), peer, own));
    managers.far.arrive(TwoManagers.NEAR, ids(Mad.of(Message.REJ, 1), peer + 1, own));
    managers.far.arrive(TwoManagers.NEAR, ids(Mad.of(Message.REJ, 1), 0, own));
    managers.far.arrive(TwoManagers.NEAR, ids(givingUp(), peer, 0));
    managers.far.arrive(TwoManagers.NEAR, ids(Mad.of(Message.DREP, 1), peer, own));
    managers.far.arrive(TwoManagers.NEAR, ids(Mad.of(Message.REP, 1), peer, own));
    managers.far.network.arrived(new Datagram(TwoManagers.NEAR, 1, new byte[256]));
    assertThat(server.next()).isNull();
    assertThat(managers.sent).hasSize(sent);
    assertThat(managers.far.drops(CmCounts.Drop.STRANGER)).isEqualTo(6);
    assertThat(managers.far.drops(CmCounts.Drop.MALFORMED)).isOne();
    managers.far.arrive(TwoManagers.NEAR, dreq);
    server.expect(CmEventType.DISCONNECTED);
  }

  /** The rejection that the sender of a request sends when it gives up. */
  private static Mad givingUp() {
    return Mad.of(Message.REJ, 1).set(Rej.REASON, 4);
  }

  private static Mad ids(Mad mad, int local, int remote) {
    return Mad.of(mad.bytes().array().clone())
        .orElseThrow()
        .set(Ids.LOCAL, local)
        .set(Ids.REMOTE, remote);
  }

  @Test
  void aDisconnectionOfAnUnknownConnectionIsAnswered() {
    managers.far.arrive(TwoManagers.NEAR, ids(Mad.of(Message.DREQ, 9), 5, 6));
    Mad drep = managers.last(Message.DREP).orElseThrow();
    assertThat(drep.getInt(Ids.LOCAL)).isEqualTo(6);
    assertThat(drep.getInt(Ids.REMOTE)).isEqualTo(5);
    assertThat(drep.transaction()).isEqualTo(9);
    assertThat(managers.far.network.size()).isZero();
  }

  @Test
  void randomDatagramsAreSurvived() {
    connected();
    Random random = new Random(31);
    List<Mad> seen = List.copyOf(managers.sent);
    managers.cut = mad -> true;
    for (int i = 0; i < 50_000; i++) {
      byte[] bytes = seen.get(random.nextInt(seen.size())).bytes().array().clone();
      for (int change = random.nextInt(8); change > 0; change--) {
        bytes[16 + random.nextInt(240)] = (byte) random.nextInt();
      }
      Gid from = random.nextInt(4) == 0 ? Gid.ofIpv4(0x7f000009) : TwoManagers.NEAR;
      int length = random.nextInt(50) == 0 ? random.nextInt(300) : bytes.length;
      managers.far.network.arrived(new Datagram(from, 1, Arrays.copyOf(bytes, length)));
      managers.pass(random.nextInt(100));
      managers.sent.clear();
      while (server.next() != null) {
        assertThat(managers.far.network.remembered()).isLessThanOrEqualTo(Network.MOST_ENDED);
      }
    }
  }

  @Test
  void onlyAddressesOfOtherDevicesUseTheNetwork() {
    assertThat(managers.near.world.manager.isElsewhere(service)).isTrue();
    assertThat(managers.near.world.manager.isElsewhere(managers.near.address(1))).isFalse();
    assertThat(client.id(RdmaCm.PS_IB).type()).isEqualTo(Verbs.QPT_RC);
  }
}
