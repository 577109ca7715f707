package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.engine.Lookouts;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.LoneSendQueue;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.translation.MemoryKey;
import org.junit.jupiter.api.Test;

/** The endpoint dispatches each packet to its queue pair, and reports losses to senders. */
class EndpointTest {
  private static final String GONE =
      ": it was destroyed, its process ended, or there never was one";

  private static final int RC = 0x40;
  private static final int UC = 0x41;
  private static final int UD = 0x42;

  private final LoneEnd end = new LoneEnd(ServiceType.RC);
  private final ObjectTable<QueuePair> queuePairs = new ObjectTable<>(1, 1 << 16);
  private final Endpoint endpoint =
      new Endpoint(
          queuePairs,
          new ObjectTable<>(1, 2),
          new MulticastGroups(),
          new Counters(),
          end.chip.chip().explanations());
  private final LoneMemory memory =
      end.chip.memory(256, MemoryKey.REMOTE_WRITE | MemoryKey.LOCAL_WRITE);
  private final LoneMemory data = end.chip.memory(256).count(0, 256);
  private final QueuePair reliable = make(RC, ServiceType.RC);

  EndpointTest() {
    make(UC, ServiceType.UC);
    make(UD, ServiceType.UD);
  }

  private QueuePair make(int number, ServiceType service) {
    QueuePair made =
        new QueuePair(
            end.chip.chip(),
            new Network(end.route, endpoint, new Lookouts(), new ObjectTable<>(1, 2)),
            number,
            service,
            end.qpc.bytes().clone(),
            new Queues(
                number == RC ? end.sends.queue() : new LoneSendQueue(end.chip, number, 4).queue(),
                end.sendCompletions.queue(),
                end.source));
    queuePairs.put(number, made);
    for (int state = QpState.INIT; state <= QpState.RTS; state++) {
      made.enter(state);
    }
    return made;
  }

  private Packet write(ServiceType service, int destination) {
    Packet write = end.packet(service, BthOpcode.WRITE_ONLY, LoneEnd.PSN);
    write.destinationQpn = destination;
    write.address = memory.address(0);
    write.rkey = memory.key();
    write.length = 4;
    return LoneEnd.carrying(write, data, 0, 4);
  }

  /** Expects the drop that is reported to a sender of this device after its last retry. */
  private void expectLost(Packet packet, String why) {
    packet.sourceQpn = UC;
    endpoint.arrive(packet);
    assertThat(end.chip.explained())
        .last()
        .isEqualTo("QP 0x41, message 1 was silently dropped: " + why);
  }

  @Test
  void aRequestGoesToTheResponderOfItsQueuePair() {
    endpoint.arrive(write(ServiceType.RC, RC));
    assertThat(memory.bytes(0, 5)).containsExactly(1, 2, 3, 4, 0);
    memory.put(0, new byte[4]);
    endpoint.arrive(write(ServiceType.UC, UC));
    assertThat(memory.bytes(0, 5)).containsExactly(1, 2, 3, 4, 0);
  }

  @Test
  void aDatagramGoesToItsQueuePair() {
    end.receives.post(memory, 0, 100);
    Packet datagram = end.packet(ServiceType.UD, BthOpcode.SEND_ONLY, 0);
    datagram.destinationQpn = UD;
    datagram.qkey = 0x11111111;
    endpoint.arrive(LoneEnd.carrying(datagram, data, 0, 4));
    assertThat(end.receivesCompleted()).containsExactly("RESP_SEND 0, 44 bytes, immediate 0xffff");
  }

  @Test
  void aResponseGoesToTheRequester() {
    end.sends.post(Wqe.send());
    reliable.requester().work();
    Packet ack = end.packet(ServiceType.RC, BthOpcode.ACKNOWLEDGE, LoneEnd.PSN);
    ack.syndrome = Aeth.ACK;
    endpoint.arrive(ack);
    assertThat(end.sendsCompleted()).containsExactly("REQ 0 SEND, 0 bytes");
  }

  @Test
  void aResponseWithoutARequesterIsDropped() {
    Packet ack = end.packet(ServiceType.RC, BthOpcode.ACKNOWLEDGE, LoneEnd.PSN);
    ack.destinationQpn = 0x99;
    ack.sourceQpn = UC;
    endpoint.arrive(ack);
    ack.destinationQpn = UD;
    endpoint.arrive(ack);
    endpoint.lost(ack, "responses are nobody's requests");
    assertThat(end.chip.explained()).isEmpty();
  }

  @Test
  void aRequestToAnUnknownQueuePairIsExplainedToTheSender() {
    expectLost(write(ServiceType.UC, 0x99), "no QP 0x99 exists (remote_qpn)" + GONE);
  }

  @Test
  void aDatagramToAnUnknownQueuePairIsExplainedToTheSender() {
    expectLost(write(ServiceType.UD, 0x99), "no QP 0x99 exists (dqp_dct)" + GONE);
  }

  @Test
  void anUnreliableRequestToAnotherServiceIsExplainedToTheSender() {
    expectLost(
        write(ServiceType.UC, RC),
        "QP 0x40 is of service RC (st) and takes no requests from QP 0x41 of service UC");
  }

  @Test
  void aReliableRequestToAnotherServiceIsExplainedToTheSender() {
    expectLost(
        write(ServiceType.RC, UD),
        "QP 0x42 is of service UD (st) and takes no requests from QP 0x41 of service RC");
  }

  @Test
  void aRequestOfAStrangerIsExplainedToTheSender() {
    expectLost(
        write(ServiceType.RC, RC),
        "QP 0x40 is connected to QP 0x50 (remote_qpn), not to QP 0x41, which sent the request");
  }

  @Test
  void aLossIsNotExplainedToASenderOfAnotherDevice() {
    endpoint.lost(write(ServiceType.RC, RC), "why");
    assertThat(end.chip.explained()).isEmpty();
  }

  @Test
  void respondersAreFoundAsQueuePairsComeAndGo() {
    assertThat(endpoint.responder(RC)).isSameAs(reliable.responder());
    assertThat(endpoint.responder(UC)).isNull();
    assertThat(endpoint.responder(0x99)).isNull();
    assertThat(endpoint.responder(RC)).isSameAs(reliable.responder());
    queuePairs.remove(RC);
    assertThat(endpoint.responder(RC)).isNull();
    QueuePair another = make(RC, ServiceType.RC);
    assertThat(endpoint.responder(RC)).isSameAs(another.responder());
  }
}
