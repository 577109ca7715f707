package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.VportCommands.HcaVportContext;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportContextIn;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportContextOut;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.InfiniBandWay;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Partitions of an InfiniBand port, and the counters of packets that match no partition. */
class PartitionTest {
  private static final long TIMEOUT = 4096 << 3;
  private static final int QKEY = 0x11111111;

  // Entries of the partition key table.
  private static final List<Integer> KEYS = List.of(0xffff, 0x8001, 0x0001, 0x7fff, 0x8000);

  private final Rig rig = Rigs.openInfiniBand(options -> options.withPartitionKeys(KEYS));
  private final RawMemory source = rig.memory(4096).fill(1);
  private final RawMemory target = rig.memory(4096);
  private final InfiniBandWay way = InfiniBandWay.to(rig.nic().queryPort(1).lid());

  @AfterEach
  void close() {
    rig.close();
  }

  private RawQp make(ServiceType service) {
    return rig.qp(new RawQpPlan(rig.cq(6)).service(service.code()));
  }

  private Settings in(int partition) {
    return new Settings().retryCount(1).timeout(3).way(way).partition(partition);
  }

  private RawCqe write(ServiceType service, int left, int right) {
    RawQp one = make(service);
    RawQp other = make(service);
    one.connect(other.number(), in(left));
    other.connect(one.number(), in(right));
    one.post(Wqe.write(target, 0).data(source, 0, 8));
    rig.settle();
    rig.pass(TIMEOUT);
    rig.pass(TIMEOUT);
    return one.sends().pollOne();
  }

  private long violations(Field counter) {
    byte[] answer =
        rig.nic()
            .execute(
                View.command(
                        QueryHcaVportContextIn.STRUCTURE, CommandOpcode.QUERY_HCA_VPORT_CONTEXT)
                    .bytes());
    return View.over(answer).at(QueryHcaVportContextOut.HCA_VPORT_CONTEXT).get(counter);
  }

  private long partitionViolations() {
    return violations(HcaVportContext.PKEY_VIOLATION_COUNTER);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "1, 2", "2, 1", "0, 3", "3, 0"})
  void twoEndsOfOnePartitionReachEachOtherWhenOneIsAFullMember(int left, int right) {
    write(ServiceType.RC, left, right).require(CqeOpcode.REQ, 0);
    assertThat(target.bytes(0, 8)).isEqualTo(source.bytes(0, 8));
    assertThat(partitionViolations()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "2, 2",
    "3, 3",
    "0, 1",
    "1, 0",
    "2, 0",
    "0, 4",
    "4, 4",
    "0, 127",
    "127, 0",
    "127, 127"
  })
  void endsWithoutAMatchingPartitionDoNotReachEachOther(int left, int right) {
    RawCqe cqe = write(ServiceType.RC, left, right);
    cqe.requireError(
        Syndrome.TRANSPORT_RETRY_EXC_ERR,
        0,
        "has the partition key 0x%04x (pkey_index), but the packet came with 0x%04x: %s"
            .formatted(
                key(right),
                key(left),
                (key(right) & 0x7fff) == 0 || (key(left) & 0x7fff) == 0
                    ? "partition 0 is none"
                    : "both must name the same partition"));
    assertThat(cqe.vendorSyndrome()).isEqualTo(0x81);
    assertThat(target.bytes()).containsOnly(0);
    assertThat(partitionViolations()).as("a request and its repetition").isEqualTo(2);
  }

  private static int key(int index) {
    return index < KEYS.size() ? KEYS.get(index) : 0;
  }

  @Test
  void anUnreliableSenderSucceedsDespiteAPartitionViolation() {
    write(ServiceType.UC, 2, 2).require(CqeOpcode.REQ, 0);
    assertThat(target.bytes()).containsOnly(0);
    assertThat(partitionViolations()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"1, 2, true, 0x8001", "2, 1, true, 0x0001", "2, 2, false, 0", "0, 1, false, 0"})
  void aDatagramCarriesTheKeyOfItsSender(int from, int to, boolean arrives, String told) {
    RawQp receiver = make(ServiceType.UD);
    receiver.connect(0, in(to));
    receiver.receive(target.address(0), 4096, target.key());
    RawQp sender = make(ServiceType.UD);
    sender.connect(0, in(from));
    sender.post(
        way.request(WqeOpcode.SEND, AddressVector.keyWord(QKEY), receiver.number())
            .data(source, 0, 8));
    rig.settle();
    sender.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(partitionViolations()).isEqualTo(arrives ? 0 : 1);
    if (arrives) {
      assertThat(receiver.receives().pollOne().immediate()).isEqualTo(Integer.decode(told));
    } else {
      assertThat(receiver.receives().peek()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"0, true", "2, true", "127, false"})
  void aTargetOfADynamicConnectionIsOfItsPartition(int partition, boolean answers) {
    RawPool pool = new RawPool(rig, false, 4);
    int full = partition == 0 ? 0 : 1;
    RawDct dct =
        new RawDct(rig, rig.cq(4), pool, context -> context.set(Dctc.PKEY_INDEX, partition));
    RawQp initiator = rig.qp(new RawQpPlan(rig.cq(8)).initiator().sizes(6, 0, 4));
    initiator.connect(0, in(full).mtu(3));
    initiator.post(
        way.request(WqeOpcode.RDMA_WRITE, RawDct.KEY, dct.number())
            .remote(target.address(0), target.key())
            .data(source, 0, 8));
    rig.settle();
    rig.pass(TIMEOUT);
    rig.pass(TIMEOUT);
    RawCqe cqe = initiator.sends().pollOne();
    if (answers) {
      cqe.require(CqeOpcode.REQ, 0);
    } else {
      cqe.requireError(
          Syndrome.TRANSPORT_RETRY_EXC_ERR,
          0,
          "DCT 0x%x has the partition key 0x0000 (pkey_index), but the request came with 0x8001"
              .formatted(dct.number()));
      assertThat(partitionViolations()).isEqualTo(2);
    }
  }

  @Test
  void anotherQueueKeyIsCounted() {
    RawQp receiver = make(ServiceType.UD);
    receiver.connect(0, in(0));
    RawQp sender = make(ServiceType.UD);
    sender.connect(0, in(0));
    for (int i = 0; i < 3; i++) {
      sender.post(way.request(WqeOpcode.SEND, AddressVector.keyWord(i), receiver.number()));
    }
    rig.settle();
    assertThat(violations(HcaVportContext.QKEY_VIOLATION_COUNTER)).isEqualTo(3);
    assertThat(partitionViolations()).isZero();
  }

  @Test
  void anIndexBehindTheTableIsRefused() {
    RawQp qp = make(ServiceType.RC);
    assertThat(Rig.refused(() -> qp.connect(7, in(128))))
        .hasMessageContaining("pkey_index 128: the partition key table has 128 entries");
    assertThat(
            Rig.refused(
                () ->
                    new RawDct(
                        rig,
                        rig.cq(4),
                        new RawPool(rig, false, 4),
                        context -> context.set(Dctc.PKEY_INDEX, 128))))
        .hasMessageContaining("pkey_index 128");
  }
}
