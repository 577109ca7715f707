package dev.bluebell.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.roce.Captures;
import dev.bluebell.roce.capture.CapturedPacket;
import dev.bluebell.roce.packet.CmMad.IpAddresses;
import dev.bluebell.roce.packet.CmMad.Message;
import dev.bluebell.roce.packet.CmMad.Rep;
import dev.bluebell.roce.packet.CmMad.Req;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The datagrams of Soft-RoCE's communication manager are reproduced from their fields. */
class CmMadTest {
  private final PacketView view = new PacketView();

  private List<ByteBuffer> mads(String capture) {
    List<ByteBuffer> mads = new ArrayList<>();
    for (CapturedPacket packet : Captures.packets(capture)) {
      Captures.wrap(view, packet);
      if (view.destinationQpn() == CmMad.QPN) {
        assertThat(view.payloadBytes()).isEqualTo(CmMad.BYTES);
        byte[] bytes = new byte[CmMad.BYTES];
        view.buffer().get(view.payloadAt(), bytes);
        mads.add(ByteBuffer.wrap(bytes));
      }
    }
    return mads;
  }

  @Test
  void allCapturedDatagramsAreWrittenAgainFromTheirFields() {
    Map<Message, Integer> counts = new EnumMap<>(Message.class);
    for (String capture : CapturedPacketsTest.captures()) {
      for (ByteBuffer mad : mads(capture)) {
        Message message = CmMad.message(mad, 0).orElseThrow();
        counts.merge(message, 1, Integer::sum);
        ByteBuffer again = ByteBuffer.allocate(CmMad.BYTES);
        message.begin(again, 0, CmMad.TRANSACTION.get(mad, 0));
        for (Field field : message.body().fields()) {
          BigInteger value = field.value(mad, CmMad.BODY);
          field.put(again, CmMad.BODY, value);
        }
        int at = message.privateDataAt();
        if (message == Message.REQ || message == Message.SIDR_REQ) {
          for (Field field : IpAddresses.HEADER.fields()) {
            field.put(again, at, field.value(mad, at));
          }
          at += IpAddresses.HEADER.bytes();
        }
        again.put(at, mad, at, CmMad.BYTES - at);
        assertThat(again).as("%s of %s", message, capture).isEqualTo(mad);
      }
    }
    System.out.println("captured datagrams: " + counts);
    assertThat(counts)
        .containsKeys(
            Message.REQ,
            Message.REP,
            Message.RTU,
            Message.DREQ,
            Message.DREP,
            Message.SIDR_REQ,
            Message.SIDR_REP);
  }

  @Test
  void theConnectionMessagesOfRpingMatchItsPackets() {
    List<ByteBuffer> mads = mads("rping");
    ByteBuffer req = mads.get(0);
    ByteBuffer rep = mads.get(1);
    int body = CmMad.BODY;
    assertThat(CmMad.message(req, 0)).hasValue(Message.REQ);
    assertThat(CmMad.message(rep, 0)).hasValue(Message.REP);
    assertThat(Req.SERVICE_ID.get(req, body)).isEqualTo(0x0106_1c06L);
    assertThat(Req.P_KEY.getInt(req, body)).isEqualTo(0xffff);
    assertThat(Req.MAX_CM_RETRIES.getInt(req, body)).isEqualTo(15);
    assertThat(Req.REMOTE_RESPONSE_TIMEOUT.getInt(req, body)).isEqualTo(20);
    assertThat(Req.LOCAL_RESPONSE_TIMEOUT.getInt(req, body)).isEqualTo(20);
    assertThat(Req.ACK_TIMEOUT.getInt(req, body)).isEqualTo(19);
    assertThat(Req.TRANSPORT.getInt(req, body)).isZero();
    assertThat(Req.RETRY_COUNT.getInt(req, body)).isEqualTo(7);
    assertThat(Req.LOCAL_LID.getInt(req, body)).isEqualTo(0xffff);
    assertThat(Req.HOP_LIMIT.getInt(req, body)).isGreaterThan(1);
    assertThat(CmMad.Ids.REMOTE.get(rep, body)).isEqualTo(Req.LOCAL_ID.get(req, body));
    assertThat(CmMad.TRANSACTION.get(rep, 0)).isEqualTo(CmMad.TRANSACTION.get(req, 0));
    assertThat(Rep.QPN.getInt(rep, body)).isNotZero();
    int ip = Message.REQ.privateDataAt();
    assertThat(IpAddresses.CMA_VERSION.getInt(req, ip)).isZero();
    assertThat(IpAddresses.IP_VERSION.getInt(req, ip)).isEqualTo(4);
    assertThat(IpAddresses.SOURCE.half(req, ip, true))
        .isEqualTo(Req.LOCAL_GID.half(req, body, true) & 0xffff_ffffL);
    assertThat(IpAddresses.DESTINATION.half(req, ip, true))
        .isEqualTo(Req.REMOTE_GID.half(req, body, true) & 0xffff_ffffL);
    List<Message> order = mads.stream().map(mad -> CmMad.message(mad, 0).orElseThrow()).toList();
    assertThat(order).startsWith(Message.REQ, Message.REP, Message.RTU);
    ByteBuffer dreq = mads.get(order.indexOf(Message.DREQ));
    assertThat(CmMad.Dreq.REMOTE_QPN.get(dreq, body))
        .isIn(Req.QPN.get(req, body), Rep.QPN.get(rep, body));
  }

  @ParameterizedTest
  @EnumSource
  void privateDataAreAllThatAMessageLeavesFree(Message message) {
    int bit = 0;
    for (Field field : message.body().fields()) {
      assertThat(field.bit()).isEqualTo(bit);
      bit = field.end();
    }
    assertThat(message.privateDataBytes())
        .isEqualTo(
            switch (message) {
              case REQ -> 92;
              case MRA -> 222;
              case REJ -> 148;
              case REP -> 196;
              case RTU, DREP -> 224;
              case DREQ -> 220;
              case SIDR_REQ -> 216;
              case SIDR_REP -> 136;
            });
    ByteBuffer mad = ByteBuffer.allocate(CmMad.BYTES + 8);
    message.begin(mad, 8, 5);
    assertThat(CmMad.message(mad, 8)).hasValue(message);
    assertThat(CmMad.TRANSACTION.get(mad, 8)).isEqualTo(5);
    mad.put(8 + 1, (byte) 4);
    assertThat(CmMad.message(mad, 8)).as("of another class").isEmpty();
  }
}
