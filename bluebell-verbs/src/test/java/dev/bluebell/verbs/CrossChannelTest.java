package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.structure.View;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Queue pairs that wait for, and enable, each other. */
class CrossChannelTest {
  private static final ValueLayout.OfInt BIG_ENDIAN =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

  private final FakeHca hca = new FakeHca();

  {
    hca.caps.set(CmdHcaCap.CD, 1).set(CmdHcaCap.WQ_SIGNATURE, 1);
  }

  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(64);

  @AfterEach
  void close() {
    device.close();
  }

  private CrossChannelBuilder describe() {
    return domain.rcQueuePair(completions).sendQueue(8).receiveQueue(4).crossChannel();
  }

  private View context() {
    return hca.lastCommand(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC);
  }

  private static String hex(MemoryRegion region, int from, int length) {
    byte[] bytes = region.segment().asSlice(from, length).toArray(ValueLayout.JAVA_BYTE);
    return HexFormat.of().formatHex(bytes);
  }

  // ---- creation

  @Test
  void theContextHasTheCrossChannelRolesOfTheQueues() {
    RcQueuePair plain = domain.rcQueuePair(completions).create();
    assertThat(plain.number()).isPositive();
    assertThat(context().isSet(Qpc.CD_MASTER)).isFalse();
    assertThat(context().isSet(Qpc.CD_SLAVE_SEND)).isFalse();
    assertThat(context().isSet(Qpc.CD_SLAVE_RECEIVE)).isFalse();

    MasterQueuePair master = describe().create();
    assertThat(master.hasManagedReceives()).isFalse();
    assertThat(context().isSet(Qpc.CD_MASTER)).isTrue();
    assertThat(context().isSet(Qpc.CD_SLAVE_SEND)).isFalse();
    assertThat(context().isSet(Qpc.CD_SLAVE_RECEIVE)).isFalse();

    ManagedQueuePair managed = describe().managedReceives().managedSends().create();
    assertThat(managed.hasManagedReceives()).isTrue();
    assertThat(context().isSet(Qpc.CD_MASTER)).isTrue();
    assertThat(context().isSet(Qpc.CD_SLAVE_SEND)).isTrue();
    assertThat(context().isSet(Qpc.CD_SLAVE_RECEIVE)).isTrue();
  }

  @Test
  void aDeviceWithoutCrossChannelRefusesIt() {
    try (Device other = Device.over(new FakeHca())) {
      RcQueuePairBuilder builder =
          other.allocateProtectionDomain().rcQueuePair(other.createCompletionQueue(1));
      assertThatIllegalStateException()
          .isThrownBy(builder::crossChannel)
          .withMessageContaining("no cross-channel queue pairs (cd)");
      assertThat(other.attributes().crossChannel()).isFalse();
    }
    assertThat(device.attributes().crossChannel()).isTrue();
  }

  @Test
  void crossChannelExcludesSignaturesAndDataInCompletions() {
    assertThatIllegalStateException()
        .isThrownBy(() -> domain.rcQueuePair(completions).signatures(true).crossChannel())
        .withMessageContaining("can't have signatures");
    assertThatIllegalStateException()
        .isThrownBy(() -> domain.rcQueuePair(completions).scatterToCqe(32).crossChannel())
        .withMessageContaining("no data in completions");
    assertThatIllegalStateException()
        .isThrownBy(() -> domain.rcQueuePair(completions).inlineReceive(32).crossChannel())
        .withMessageContaining("no data in completions");
  }

  @Test
  void aCompletionQueueMayIgnoreOverrun() {
    assertThat(lastCompletionQueue().isSet(Cqc.OI)).isFalse();
    CompletionQueueOptions options =
        CompletionQueueOptions.DEFAULT
            .withIgnoreOverrun(true)
            .withCompletionVector(1)
            .withCqeBytes(128)
            .withCompression(CqeCompression.NONE);
    try (CompletionQueue unpolled = device.createCompletionQueue(4, options)) {
      assertThat(unpolled.number()).isPositive();
      assertThat(lastCompletionQueue().isSet(Cqc.OI)).isTrue();
    }
  }

  private View lastCompletionQueue() {
    return hca.lastCommand(CommandOpcode.CREATE_CQ).at(CreateCqIn.CQ_CONTEXT);
  }

  // ---- requests

  @Test
  void waitsAndEnablesNameTheirQueues() {
    ManagedQueuePair target = describe().managedReceives().managedSends().create();
    MasterQueuePair master = describe().create();
    MemoryRegion data = domain.allocate(64);
    MemoryRegion ring = master.sendQueueMemory();
    master.waitFor(completions, 6).unsignaled(1);
    master.enableSends(target, 7).signaled(2);
    master.enableReceives(target, 8).unsignaled(3);
    master.waitForData(data, 56, WaitCondition.NOT_BIGGER, 5, 15).fence().unsignaled(4);
    master.waitForTime(WaitCondition.CYCLIC_SMALLER, 6, -1).unsignaled(5);
    master.ringDoorbell();

    String qpn = "%06x".formatted(master.number());
    assertThat(hex(ring, 0, 32))
        .isEqualTo(
            "0000000f%s020000000000000000000000000000000000000006%08x"
                .formatted(qpn, completions.number()));
    assertThat(hex(ring, 64, 32))
        .isEqualTo(
            "00000117%s020000000800000000000000000000000000000007%08x"
                .formatted(qpn, target.number()));
    assertThat(hex(ring, 128, 32))
        .isEqualTo(
            "00000216%s020000000000000000000000000000000000000008%08x"
                .formatted(qpn, target.number()));
    assertThat(hex(ring, 192, 48))
        .isEqualTo(
            "0100030f%s03000000800000000000000012%08x%016x0000000000000005000000000000000f"
                .formatted(qpn, data.lkey(), data.address() + 56));
    assertThat(hex(ring, 256, 48))
        .isEqualTo(
            ("0200040f%s030000000000000000"
                    + "00000005000000000000000000000000"
                    + "0000000000000006ffffffffffffffff")
                .formatted(qpn));
  }

  @Test
  void aWaitOnDataIsAllInItsRegion() {
    MasterQueuePair master = describe().create();
    MemoryRegion data = domain.allocate(64);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> master.waitForData(data, 57, WaitCondition.EQUAL, 0, -1).signaled(1));
    assertThat(master.freeWqebbs()).isEqualTo(8);
  }

  @Test
  void onlyManagedReceivesAreEnabled() {
    MasterQueuePair master = describe().create();
    MasterQueuePair other = describe().create();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> master.enableReceives(other, 1).signaled(1))
        .withMessageContaining("needs no RECV_EN");
  }

  // ---- managed queues

  @Test
  void managedQueuesRingNoDoorbell() {
    ManagedQueuePair managed = describe().managedReceives().managedSends().create();
    managed.nop().signaled(1);
    managed.write(0x1000, 1).inline(new byte[100], 0, 28).signaled(2);
    assertThat(managed.nextWqebb()).isEqualTo(2);
    managed.receive().empty().post(1);
    assertThatIllegalStateException()
        .isThrownBy(managed::ringReceiveDoorbell)
        .withMessageContaining("managed receives")
        .withMessageContaining("enableReceives");
    MemorySegment records = hca.umems.get(context().getInt(Qpc.DBR_UMEM_ID));
    assertThat(records.get(ValueLayout.JAVA_LONG, context().get(Qpc.DBR_ADDR))).isZero();
  }

  @Test
  void aManagedQueueMayBeRungUnlessItHoldsAProgram() {
    ManagedQueuePair managed = describe().managedSends().create();
    MemorySegment records = hca.umems.get(context().getInt(Qpc.DBR_UMEM_ID));
    long at = context().get(Qpc.DBR_ADDR) + DoorbellRecord.SEND;
    managed.nop().signaled(1);
    managed.nop().signaled(2);
    managed.ringDoorbell();
    assertThat(records.get(BIG_ENDIAN, at)).isEqualTo(2);
    managed.nop().signaled(3);
    managed.keep();
    assertThatIllegalStateException()
        .isThrownBy(managed::ringDoorbell)
        .withMessageContaining("holds a program")
        .withMessageContaining("enableSends");
    assertThat(records.get(BIG_ENDIAN, at)).isEqualTo(2);
  }

  @Test
  void aProgramIsInstalledAsBytes() {
    ManagedQueuePair managed = describe().managedSends().create();
    MemoryRegion ring = managed.sendQueueMemory();
    byte[] program = new byte[128];
    program[3] = 0x17;
    program[67] = 0x0f;
    managed.install(MemorySegment.ofArray(program));
    assertThat(hex(ring, 0, 4)).isEqualTo("00000017");
    assertThat(hex(ring, 64, 4)).isEqualTo("0000000f");
    assertThat(managed.freeWqebbs()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(managed::nop)
        .withMessageContaining("holds a program");
    assertThat(managed.reset().sends()).isEmpty();
    managed.nop().signaled(1);
    managed.keep();
    managed.installReceives(MemorySegment.ofArray(new byte[64]), 3);
    assertThat(managed.freeReceives()).isZero();
  }

  @Test
  void programsOfClosedQueuePairsAreRefused() {
    ManagedQueuePair managed = describe().managedSends().create();
    managed.close();
    MemorySegment program = MemorySegment.ofArray(new byte[64]);
    assertThatIllegalStateException().isThrownBy(() -> managed.install(program));
    assertThatIllegalStateException().isThrownBy(managed::keep);
    assertThatIllegalStateException().isThrownBy(managed::keepReceives);
    assertThatIllegalStateException().isThrownBy(() -> managed.installReceives(program, 1));
    assertThatIllegalStateException().isThrownBy(managed::sendQueueMemory);
    assertThatIllegalStateException().isThrownBy(managed::receiveQueueMemory);
  }

  @Test
  void theDiagnosisOfAManagedQueueSaysWhatItWaitsFor() {
    ManagedQueuePair managed = describe().managedReceives().managedSends().create();
    managed.nop().unsignaled(1);
    managed.nop().unsignaled(2);
    managed.receive().empty().post(1);
    assertThat(managed.diagnose())
        .contains(
            "Its send queue is managed (cd_slave_send): send requests that wait to be enabled",
            "have not completed: 2; enableSends(queuePair, 2) of another",
            "None of them is signalled",
            "Its receive queue is managed (cd_slave_receive)",
            "enableReceives(queuePair, 1)")
        .doesNotContain("ringDoorbell", "ringReceiveDoorbell");
    managed.nop().signaled(3);
    assertThat(managed.diagnose())
        .contains("enableSends(queuePair, 3)")
        .doesNotContain("None of them is signalled");
  }

  @Test
  void theDiagnosisOfAQueueNamesItsProgram() {
    ManagedQueuePair managed = describe().managedReceives().managedSends().create();
    managed.keep();
    managed.keepReceives();
    assertThat(managed.diagnose()).contains("Its send queue holds a program", "and RECV_EN limits");
    MasterQueuePair master = describe().create();
    master.installReceives(MemorySegment.ofArray(new byte[16]), 7);
    assertThat(master.diagnose()).contains("and the doorbell record (7) limits");
  }

  // ---- queues as memory

  @Test
  void queuesCanBeRegisteredAsMemory() {
    MasterQueuePair master = describe().create();
    MemoryRegion sends = master.sendQueueMemory(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    MemoryRegion receives = master.receiveQueueMemory(Access.LOCAL_WRITE);
    MemoryRegion record = master.receiveRecordMemory(Access.LOCAL_WRITE);
    assertThat(sends.length()).isEqualTo(8 * 64);
    assertThat(receives.length()).isEqualTo(4 * 16);
    assertThat(sends.address()).isEqualTo(receives.address() + 64);
    assertThat(record.length()).isEqualTo(4);
    master.receive().empty().post(1);
    master.ringReceiveDoorbell();
    assertThat(record.segment().get(BIG_ENDIAN, 0)).isEqualTo(1);
    assertThat(hca.registrations).hasSize(3);
  }

  @Test
  void aQueuePairStaysAsLongAsItsMemoryIsRegistered() {
    MasterQueuePair master = describe().create();
    MemoryRegion sends = master.sendQueueMemory();
    MemoryRegion record = master.receiveRecordMemory();
    assertThatIllegalStateException()
        .isThrownBy(master::close)
        .withMessageContaining("still used by memory region");
    sends.close();
    assertThatIllegalStateException().isThrownBy(master::close);
    record.close();
    master.close();
    assertThat(hca.closings()).containsSubsequence("memory", "memory", "QP");
  }

  @Test
  void theEndOfTheDeviceEndsTheMemoryFirst() {
    MasterQueuePair master = describe().create();
    assertThat(master.sendQueueMemory().length()).isPositive();
    device.close();
    assertThat(hca.closings()).containsSubsequence("memory", "QP");
  }

  @Test
  void queuesThatDoNotExistCannotBeRegistered() {
    MasterQueuePair sending =
        domain.rcQueuePair(completions).receiveQueue(0).crossChannel().create();
    assertThatIllegalStateException()
        .isThrownBy(sending::receiveQueueMemory)
        .withMessageContaining("no receive queue of its own");
    assertThatIllegalStateException().isThrownBy(sending::receiveRecordMemory);
    MasterQueuePair managed = describe().managedReceives().create();
    assertThatIllegalStateException()
        .isThrownBy(managed::receiveRecordMemory)
        .withMessageContaining("reads no doorbell record");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sending.sendQueueMemory(Access.REMOTE_WRITE))
        .withMessageContaining("LOCAL_WRITE");
  }
}
