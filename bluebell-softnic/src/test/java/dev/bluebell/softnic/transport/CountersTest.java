package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CounterCommands.QueryQCounterIn;
import dev.bluebell.hca.command.CounterCommands.QueryQCounterOut;
import dev.bluebell.hca.command.CounterCommands.QueryVportCounterIn;
import dev.bluebell.hca.command.CounterCommands.QueryVportCounterOut;
import dev.bluebell.hca.command.DeviceCommands.QueryLagIn;
import dev.bluebell.hca.command.DeviceCommands.QueryLagOut;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The counters of the port. */
class CountersTest {
  private Rig rig = Rigs.open();

  @AfterEach
  void close() {
    rig.close();
  }

  private long queues(Field field) {
    byte[] command = View.command(QueryQCounterIn.STRUCTURE, CommandOpcode.QUERY_Q_COUNTER).bytes();
    return View.over(rig.nic().execute(command)).get(field);
  }

  private long traffic(Field field) {
    byte[] command =
        View.command(QueryVportCounterIn.STRUCTURE, CommandOpcode.QUERY_VPORT_COUNTER).bytes();
    return View.over(rig.nic().execute(command)).get(field);
  }

  @Test
  void aFreshDeviceCountedNothing() {
    assertThat(traffic(QueryVportCounterOut.TRANSMITTED_IB_UNICAST_PACKETS)).isZero();
    assertThat(queues(QueryQCounterOut.LOCAL_ACK_TIMEOUT_ERR)).isZero();
  }

  @Test
  void requestsThatCutThroughAndRequestsThatTravelCountAlike() {
    RawPair pair = rig.pair();
    RawMemory memory = rig.memory(8192);
    for (int i = 0; i < 3; i++) {
      pair.left().post(Wqe.write(memory, 4096).data(memory, 0, 64));
      pair.left().post(Wqe.read(memory, 4096).data(memory, 0, 64));
      // Requests with inline data are sent as packets.
      pair.left().post(Wqe.write(memory, 4096).inline(new byte[8]));
      rig.settle();
    }
    assertThat(queues(QueryQCounterOut.RX_WRITE_REQUESTS)).isEqualTo(6);
    assertThat(queues(QueryQCounterOut.RX_READ_REQUESTS)).isEqualTo(3);
    long sent = traffic(QueryVportCounterOut.TRANSMITTED_IB_UNICAST_PACKETS);
    assertThat(sent).isBetween(12L, 21L);
    assertThat(traffic(QueryVportCounterOut.RECEIVED_IB_UNICAST_PACKETS)).isEqualTo(sent);
    assertThat(traffic(QueryVportCounterOut.TRANSMITTED_IB_UNICAST_OCTETS))
        .isEqualTo(3 * (64 + 64 + 8) + sent * Counters.HEADER_BYTES);
  }

  @ParameterizedTest
  @EnumSource(names = {"RC", "UC", "UD"})
  void aMessageWithoutAReceiveIsCountedForEachService(ServiceType service) {
    RawQp left = rig.qp(new RawQpPlan(rig.cq(6)).service(service.code()));
    RawQp right = rig.qp(new RawQpPlan(rig.cq(6)).service(service.code()));
    RawPair.connect(left, right, new Settings().rnrRetry(0));
    Wqe message =
        service == ServiceType.UD ? Wqe.datagram(right, Addresses.LINK_LOCAL) : Wqe.send();
    left.post(message.data(rig.memory(64), 0, 8));
    rig.settle();
    assertThat(queues(QueryQCounterOut.OUT_OF_BUFFER)).isEqualTo(1);
  }

  @Test
  void aReceiverThatIsNotReadyIsCountedAtBothEnds() {
    RawPair pair = rig.pair(new Settings().rnrRetry(0));
    pair.left().post(Wqe.send().data(rig.memory(64), 0, 8));
    rig.settle();
    assertThat(queues(QueryQCounterOut.OUT_OF_BUFFER)).isEqualTo(1);
    assertThat(queues(QueryQCounterOut.RNR_NAK_RETRY_ERR)).isEqualTo(1);
    assertThat(queues(QueryQCounterOut.REQ_CQE_ERROR)).isEqualTo(1);
    assertThat(queues(QueryQCounterOut.REQ_CQE_FLUSH_ERROR)).isZero();
  }

  @Test
  void timeoutsAndRefusalsAreCounted() {
    RawQp lonely = rig.qp(rig.cq(4));
    lonely.connect(0x777, new Settings().timeout(1).retryCount(1));
    lonely.post(Wqe.send().data(rig.memory(64), 0, 8));
    rig.settle();
    rig.pass(8192);
    rig.pass(8192);
    assertThat(queues(QueryQCounterOut.LOCAL_ACK_TIMEOUT_ERR)).isEqualTo(2);
    assertThat(queues(QueryQCounterOut.REQ_TRANSPORT_RETRIES_EXCEEDED)).isEqualTo(1);
    RawPair pair = rig.pair();
    RawMemory memory = rig.memory(64);
    pair.left().post(Wqe.write(memory, 60).data(memory, 0, 8));
    pair.left().post(Wqe.write(memory, 0).data(memory, 0, 8));
    rig.settle();
    assertThat(queues(QueryQCounterOut.REQ_REMOTE_ACCESS_ERRORS)).isEqualTo(1);
    assertThat(queues(QueryQCounterOut.RESP_REMOTE_ACCESS_ERRORS)).isEqualTo(1);
    assertThat(queues(QueryQCounterOut.REQ_CQE_FLUSH_ERROR)).isEqualTo(1);
  }

  @Test
  void lossIsSeenAsGapsAndDuplicates() {
    rig.close();
    rig = Rigs.open(LossOptions.none(3).withLoss(0.2).withDuplicate(0.2));
    RawPair pair = rig.pair(new Settings().timeout(5).retryCount(7));
    RawMemory memory = rig.memory(8192);
    for (int i = 0; i < 100; i++) {
      pair.left().post(Wqe.write(memory, 4096).data(memory, 0, 64));
      pair.left().post(Wqe.write(memory, 4096).data(memory, 0, 64));
      for (int step = 0; step < 20; step++) {
        rig.pass(100_000);
      }
    }
    assertThat(queues(QueryQCounterOut.OUT_OF_SEQUENCE)).isPositive();
    assertThat(queues(QueryQCounterOut.PACKET_SEQ_ERR)).isPositive();
    assertThat(queues(QueryQCounterOut.DUPLICATE_REQUEST)).isPositive();
    assertThat(queues(QueryQCounterOut.LOCAL_ACK_TIMEOUT_ERR)).isPositive();
    assertThat(traffic(QueryVportCounterOut.RECEIVED_IB_UNICAST_PACKETS))
        .isNotEqualTo(traffic(QueryVportCounterOut.TRANSMITTED_IB_UNICAST_PACKETS));
  }

  @Test
  void clearingTheCountersReturnsTheirLastValues() {
    RawPair pair = rig.pair();
    RawMemory memory = rig.memory(8192);
    run(pair, memory, 3);
    byte[] clearQueues =
        View.command(QueryQCounterIn.STRUCTURE, CommandOpcode.QUERY_Q_COUNTER)
            .set(QueryQCounterIn.CLEAR, true)
            .bytes();
    byte[] clearTraffic =
        View.command(QueryVportCounterIn.STRUCTURE, CommandOpcode.QUERY_VPORT_COUNTER)
            .set(QueryVportCounterIn.CLEAR, true)
            .bytes();
    assertThat(View.over(rig.nic().execute(clearQueues)).get(QueryQCounterOut.RX_WRITE_REQUESTS))
        .isEqualTo(3);
    assertThat(
            View.over(rig.nic().execute(clearTraffic))
                .get(QueryVportCounterOut.TRANSMITTED_IB_UNICAST_PACKETS))
        .isPositive();
    assertThat(queues(QueryQCounterOut.RX_WRITE_REQUESTS)).isZero();
    assertThat(traffic(QueryVportCounterOut.TRANSMITTED_IB_UNICAST_PACKETS)).isZero();
    run(pair, memory, 2);
    assertThat(queues(QueryQCounterOut.RX_WRITE_REQUESTS)).isEqualTo(2);
  }

  @Test
  void clearingTheCountersDoesNotClearThemForOtherClients() {
    run(rig.pair(), rig.memory(8192), 3);
    Rig other = new Rig((SoftNic) rig.nic().hosting().orElseThrow().openClient(), rig.clock());
    byte[] clear =
        View.command(QueryQCounterIn.STRUCTURE, CommandOpcode.QUERY_Q_COUNTER)
            .set(QueryQCounterIn.CLEAR, true)
            .bytes();
    View seen = View.over(other.nic().execute(clear));
    assertThat(seen.get(QueryQCounterOut.RX_WRITE_REQUESTS)).isEqualTo(3);
    seen = View.over(other.nic().execute(clear));
    assertThat(seen.get(QueryQCounterOut.RX_WRITE_REQUESTS)).isZero();
    assertThat(queues(QueryQCounterOut.RX_WRITE_REQUESTS)).isEqualTo(3);
    other.close();
  }

  private void run(RawPair pair, RawMemory memory, int writes) {
    for (int i = 0; i < writes; i++) {
      pair.left().post(Wqe.write(memory, 4096).data(memory, 0, 64));
    }
    rig.settle();
    pair.left().sends().poll();
  }

  @Test
  void otherSetsAndOtherPortsAreRefused() {
    byte[] set =
        View.command(QueryQCounterIn.STRUCTURE, CommandOpcode.QUERY_Q_COUNTER)
            .set(QueryQCounterIn.COUNTER_SET_ID, 1)
            .bytes();
    assertThat(Rig.refused(() -> rig.nic().execute(set)).status()).isEqualTo(CommandStatus.BAD_RES);
    byte[] vport =
        View.command(QueryVportCounterIn.STRUCTURE, CommandOpcode.QUERY_VPORT_COUNTER)
            .set(QueryVportCounterIn.VPORT_NUMBER, 3)
            .bytes();
    assertThat(Rig.refused(() -> rig.nic().execute(vport)).status())
        .isEqualTo(CommandStatus.BAD_PARAM);
  }

  @Test
  void aDeviceWithOnePortHasNoLag() {
    byte[] command = View.command(QueryLagIn.STRUCTURE, CommandOpcode.QUERY_LAG).bytes();
    View answer = View.over(rig.nic().execute(command));
    assertThat(answer.getInt(CmdOut.STATUS)).isEqualTo(CommandStatus.OK);
    assertThat(answer.get(QueryLagOut.CTX)).isZero();
  }
}
