package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DctCommands.ArmDctIn;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.DctCommands.QueryDctOut;
import dev.bluebell.hca.structure.View;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Creating, querying and closing targets of dynamic connections. */
class DcTargetTest {
  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(64);
  private final SharedReceiveQueue receives = domain.sharedReceiveQueue().create();

  @AfterEach
  void close() {
    device.close();
  }

  @Test
  void creationHasAllOptionsOfTheTarget() {
    DcTarget target =
        domain
            .dcTarget(completions, receives)
            .accessKey(0x1234_5678_9abc_def0L)
            .access(Access.REMOTE_READ)
            .port(2)
            .gidIndex(3)
            .pkeyIndex(5)
            .minRnrTimer(7)
            .create();
    View context = hca.command(CommandOpcode.CREATE_DCT).at(CreateDctIn.DCT_CONTEXT_ENTRY);
    assertThat(context.get(Dctc.DC_ACCESS_KEY)).isEqualTo(0x1234_5678_9abc_def0L);
    assertThat(context.getInt(Dctc.CQN)).isEqualTo(completions.number());
    assertThat(context.getInt(Dctc.SRQN_XRQN)).isEqualTo(receives.number());
    assertThat(context.getInt(Dctc.PD)).isEqualTo(domain.number());
    assertThat(context.isSet(Dctc.RRE)).isTrue();
    assertThat(context.isSet(Dctc.RWE)).isFalse();
    assertThat(context.isSet(Dctc.RAE)).isFalse();
    assertThat(context.getInt(Dctc.ATOMIC_MODE)).isZero();
    assertThat(context.getInt(Dctc.PORT)).isEqualTo(2);
    assertThat(context.getInt(Dctc.MY_ADDR_INDEX)).isEqualTo(3);
    assertThat(context.getInt(Dctc.PKEY_INDEX)).isEqualTo(5);
    assertThat(context.getInt(Dctc.MIN_RNR_NAK)).isEqualTo(7);
    // 1024 bytes, the port's.
    assertThat(context.getInt(Dctc.MTU)).isEqualTo(3);
    assertThat(target.endpoint())
        .isEqualTo(new DcEndpoint(FakeHca.GID, target.number(), 0x1234_5678_9abc_def0L, 1024));
  }

  @Test
  void byDefaultAllAccessIsAllowedWithARandomKey() {
    DcEndpoint first = domain.dcTarget(completions, receives).create().endpoint();
    View context = hca.command(CommandOpcode.CREATE_DCT).at(CreateDctIn.DCT_CONTEXT_ENTRY);
    assertThat(context.isSet(Dctc.RRE)).isTrue();
    assertThat(context.isSet(Dctc.RWE)).isTrue();
    assertThat(context.isSet(Dctc.RAE)).isTrue();
    assertThat(context.getInt(Dctc.ATOMIC_MODE)).isEqualTo(1);
    assertThat(context.get(Dctc.DC_ACCESS_KEY)).isEqualTo(first.accessKey());
    DcEndpoint second = domain.dcTarget(completions, receives).create().endpoint();
    assertThat(second.accessKey()).isNotEqualTo(first.accessKey());
  }

  @Test
  void targetsServeTheLargestAtomicsThatTheDeviceHasForThem() {
    hca.atomicCaps
        .set(AtomicCaps.ATOMIC_OPERATIONS, 0xf)
        .set(AtomicCaps.ATOMIC_SIZE_QP, 28)
        .set(AtomicCaps.ATOMIC_SIZE_DC, 8);
    try (Device other = Device.over(hca)) {
      assertThat(other.attributes().dcMaskedAtomicSizes()).isEqualTo(8);
      ProtectionDomain others = other.allocateProtectionDomain();
      others
          .dcTarget(other.createCompletionQueue(8), others.sharedReceiveQueue().create())
          .create();
    }
    View context = hca.command(CommandOpcode.CREATE_DCT).at(CreateDctIn.DCT_CONTEXT_ENTRY);
    assertThat(context.getInt(Dctc.ATOMIC_MODE)).isEqualTo(3);
  }

  @Test
  void targetsHaveDifferentUserIndices() {
    DcTarget first = domain.dcTarget(completions, receives).create();
    DcTarget second = domain.dcTarget(completions, receives).create();
    assertThat(first).doesNotHaveToString(second.toString());
    assertThat(hca.commands.get(CommandOpcode.CREATE_DCT))
        .extracting(
            bytes -> View.over(bytes).at(CreateDctIn.DCT_CONTEXT_ENTRY).getInt(Dctc.USER_INDEX))
        .doesNotHaveDuplicates();
  }

  @Test
  void violationsOfTheKeyAreCountedAndReportedOnce() {
    DcTarget target = domain.dcTarget(completions, receives).create();
    hca.queryQp = new byte[QueryDctOut.STRUCTURE.bytes()];
    View.over(hca.queryQp)
        .at(QueryDctOut.DCT_CONTEXT_ENTRY)
        .set(Dctc.DC_ACCESS_KEY_VIOLATION_COUNT, 9);
    assertThat(target.keyViolations()).isEqualTo(9);
    target.armKeyViolation();
    assertThat(hca.command(CommandOpcode.ARM_DCT_FOR_KEY_VIOLATION).getInt(ArmDctIn.DCT_NUMBER))
        .isEqualTo(target.number());
    hca.channels.getFirst().raise(HcaEvent.DCT_KEY_VIOLATION, target.number(), 0);
    assertThat(device.pollEvent())
        .isEqualTo(new AsyncEvent(AsyncEvent.Type.KEY_VIOLATION, target.number(), 0));
  }

  @Test
  void objectsThatATargetUsesCannotBeClosed() {
    DcTarget target = domain.dcTarget(completions, receives).create();
    assertThatIllegalStateException()
        .isThrownBy(receives::close)
        .withMessageContaining("is still used by %s".formatted(target));
    assertThatIllegalStateException().isThrownBy(completions::close);
    target.close();
    target.close();
    assertThatIllegalStateException().isThrownBy(target::armKeyViolation);
    assertThatIllegalStateException().isThrownBy(target::keyViolations);
    receives.close();
    completions.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> domain.dcTarget(completions, receives).create())
        .withMessageContaining("is closed");
  }

  @Test
  void aRefusedCreationLeavesNothingBehind() {
    hca.refused.add(CommandOpcode.CREATE_DCT);
    assertThatThrownBy(() -> domain.dcTarget(completions, receives).create())
        .isInstanceOf(HcaException.class);
    receives.close();
    completions.close();
  }

  @Test
  void partsOfTwoDevicesMakeNoTarget() {
    try (Device other = Device.over(new FakeHca())) {
      CompletionQueue foreign = other.createCompletionQueue(16);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> domain.dcTarget(foreign, receives).create())
          .withMessageContaining("use one device");
      SharedReceiveQueue foreignReceives =
          other.allocateProtectionDomain().sharedReceiveQueue().create();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> domain.dcTarget(completions, foreignReceives).create());
    }
  }

  @Test
  void theDeviceClosesItsTargetsBeforeWhatTheyUse() {
    DcTarget target = domain.dcTarget(completions, receives).create();
    device.close();
    assertThatIllegalStateException().isThrownBy(target::armKeyViolation);
  }
}
