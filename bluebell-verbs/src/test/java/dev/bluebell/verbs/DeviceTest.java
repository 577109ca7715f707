package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.DeviceLostException;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.structure.View;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Opening and closing devices, their limits and their events. */
class DeviceTest {
  private final FakeHca hca = new FakeHca();

  @Test
  void limitsAreThoseOfTheCapabilities() {
    hca.caps.set(CmdHcaCap.LOG_MAX_CQ_SZ, 22).set(CmdHcaCap.NUM_PORTS, 2);
    try (Device device = Device.over(hca)) {
      DeviceAttributes attributes = device.attributes();
      assertThat(attributes.ports()).isEqualTo(2);
      assertThat(attributes.maxQueuePairs()).isEqualTo(1024);
      assertThat(attributes.maxSendWqebbs()).isEqualTo(32768);
      assertThat(attributes.maxSendWqeBytes()).isEqualTo(1024);
      assertThat(attributes.maxReceiveWqeBytes()).isEqualTo(512);
      assertThat(attributes.maxCompletionEntries()).isEqualTo(1 << 22);
      assertThat(attributes.maxMessageBytes()).isEqualTo(1L << 30);
      assertThat(attributes.maxReads()).isEqualTo(16);
      assertThat(attributes.clockKilohertz()).isEqualTo(1_000_000);
      assertThat(attributes.blueFlame()).isTrue();
    }
    // GENERAL capabilities, current values.
    List<byte[]> queries = hca.commands.get(CommandOpcode.QUERY_HCA_CAP);
    assertThat(View.over(queries.getFirst()).getInt(CmdIn.OP_MOD)).isEqualTo(1);
    // Those of atomics.
    assertThat(View.over(queries.getLast()).getInt(CmdIn.OP_MOD)).isEqualTo(7);
    assertThat(queries).hasSize(2);
  }

  @Test
  void aQueueIsNeverLargerThanItsContextCanEncode() {
    hca.caps.set(CmdHcaCap.LOG_MAX_QP_SZ, 18);
    try (Device device = Device.over(hca)) {
      assertThat(device.attributes().maxSendWqebbs()).isEqualTo(32768);
    }
  }

  @Test
  void aDeviceWithAnotherCompletionFormatIsRefusedAndClosed() {
    hca.caps.set(CmdHcaCap.CQE_VERSION, 0);
    assertThatIllegalStateException()
        .isThrownBy(() -> Device.over(hca))
        .withMessageContaining("completions of version 0");
    assertThat(hca.closings()).containsExactly("device");
  }

  @Test
  void anUnknownNameIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Device.open("mlx6"))
        .withMessage(
            "there is no device 'mlx6'; a device process is socket:PATH, and a card has a name such"
                + " as mlx5_0");
  }

  @Test
  void aNameThatAnotherModuleOpensNamesThatModule() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Device.open("mlx5_77"))
        .withMessage(
            "there is no device 'mlx5_77'; a card needs bluebell-devx at run time, which is"
                + " missing");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Device.open("rocep1s0f0"))
        .withMessageContaining("bluebell-devx");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Device.open("socket:/run/device.sock"))
        .withMessageContaining("bluebell-server");
    for (String name : List.of("soft", "soft:loss=5%")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Device.open(name))
          .withMessageContaining("bluebell-softnic");
    }
  }

  @Test
  void withoutAProviderOpeningSaysWhatIsMissing() {
    assertThat(Device.names()).isEmpty();
    assertThatIllegalStateException()
        .isThrownBy(Device::open)
        .withMessageContaining("bluebell-softnic");
  }

  @Test
  void closingTheDeviceClosesRemainingObjectsInReverseOrder() {
    Device device = Device.over(hca);
    ProtectionDomain domain = device.allocateProtectionDomain();
    CompletionQueue completions = device.createCompletionQueue(16);
    MemoryRegion region = domain.allocate(4096, Access.LOCAL_WRITE);
    RcQueuePair queuePair = domain.rcQueuePair(completions).create();
    device.close();
    assertThat(hca.closings()).containsExactly("QP", "memory", "CQ", "PD", "device");
    assertThat(hca.channels).allMatch(channel -> channel.closed);
    device.close();
    queuePair.close();
    region.close();
    completions.close();
    domain.close();
    assertThat(hca.closings()).hasSize(5);
    assertThatIllegalStateException()
        .isThrownBy(device::allocateProtectionDomain)
        .withMessage("device fake is closed");
    assertThatIllegalStateException().isThrownBy(() -> device.createCompletionQueue(16));
    assertThatIllegalStateException().isThrownBy(() -> device.port(1));
    assertThatIllegalStateException().isThrownBy(() -> device.gid(1, 0));
  }

  /** Lets another thread close a device during the next creation, and waits until it waits. */
  private Thread closeMeanwhile(Device device) {
    Thread closing = new Thread(device::close);
    hca.onCreate =
        () -> {
          closing.start();
          while (closing.isAlive() && closing.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
          }
        };
    return closing;
  }

  @Test
  void aThreadThatCreatesAnObjectDoesNotCloseItsDevice() {
    Device device = Device.over(hca);
    hca.onCreate = device::close;
    assertThatIllegalStateException()
        .isThrownBy(() -> device.createCompletionQueue(16))
        .withMessageContaining("cannot be closed by a thread that creates");
    hca.onCreate = () -> {};
    device.createCompletionQueue(16).close();
    device.close();
  }

  @Test
  void aDeviceThatClosesWaitsForACreationWhichItRefuses() throws InterruptedException {
    Device device = Device.over(hca);
    Thread closing = closeMeanwhile(device);
    assertThatThrownBy(() -> device.createCompletionQueue(16))
        .isInstanceOf(ClosedException.class)
        .hasMessage("device fake is closed");
    closing.join();
    assertThat(hca.closings()).containsExactly("CQ", "device");
    assertThat(device.openObjects()).isEmpty();
  }

  @Test
  void whatACreationUsesIsClosedAfterIt() throws InterruptedException {
    Device device = Device.over(hca);
    ProtectionDomain domain = device.allocateProtectionDomain();
    CompletionQueue completions = device.createCompletionQueue(16);
    Thread closing = closeMeanwhile(device);
    assertThatThrownBy(() -> domain.rcQueuePair(completions).create())
        .isInstanceOf(ClosedException.class);
    closing.join();
    assertThat(hca.closings()).containsExactly("QP", "CQ", "PD", "device");
  }

  @Test
  void aDeviceThatClosesCreatesNothing() {
    Device device = Device.over(hca);
    hca.onClose =
        () ->
            assertThatThrownBy(() -> device.createCompletionQueue(16))
                .isInstanceOf(ClosedException.class);
    device.close();
    assertThat(hca.closings()).containsExactly("device");
  }

  @Test
  void aDomainInUseIsNotClosedAndNamesItsUsers() {
    Device device = Device.over(hca);
    ProtectionDomain domain = device.allocateProtectionDomain();
    MemoryRegion region = domain.allocate(64, Access.LOCAL_WRITE);
    CompletionQueue completions = device.createCompletionQueue(16);
    RcQueuePair queuePair = domain.rcQueuePair(completions).create();
    assertThatIllegalStateException()
        .isThrownBy(domain::close)
        .withMessageContaining(domain + " is still used by")
        .withMessageContaining(region.toString())
        .withMessageContaining(queuePair.toString());
    queuePair.close();
    region.close();
    domain.close();
    assertThat(hca.closings()).containsExactly("QP", "memory", "PD");
  }

  @Test
  void aCompletionQueueThatIsInUseIsNotClosed() {
    Device device = Device.over(hca);
    ProtectionDomain domain = device.allocateProtectionDomain();
    CompletionQueue sends = device.createCompletionQueue(16);
    CompletionQueue receives = device.createCompletionQueue(16);
    RcQueuePair queuePair = domain.rcQueuePair(sends).receiveCompletions(receives).create();
    for (CompletionQueue used : new CompletionQueue[] {sends, receives}) {
      assertThatIllegalStateException()
          .isThrownBy(used::close)
          .withMessageContaining(queuePair.toString());
    }
    queuePair.close();
    sends.close();
    receives.close();
    assertThat(hca.closings()).containsExactly("QP", "CQ", "CQ");
  }

  @Test
  void aRefusedDestructionIsReportedAndLeavesTheObjectOpen() {
    Device device = Device.over(hca);
    CompletionQueue completions = device.createCompletionQueue(16);
    hca.busy.add("CQ");
    assertThatIllegalStateException()
        .isThrownBy(completions::close)
        .withMessageContaining("still in use on the device")
        .withCauseInstanceOf(HcaException.class);
    assertThat(completions.poll()).isNull();
    hca.busy.clear();
    completions.close();
    assertThat(hca.closings()).containsExactly("CQ");
  }

  @Test
  void eventsOfTheDeviceAndItsObjectsArriveAsAsyncEvents() throws InterruptedException {
    Device device = Device.over(hca);
    ProtectionDomain domain = device.allocateProtectionDomain();
    CompletionQueue completions = device.createCompletionQueue(16);
    RcQueuePair queuePair = domain.rcQueuePair(completions).create();
    assertThat(device.pollEvent()).isNull();
    FakeHca.FakeChannel events = hca.channels.getFirst();
    events.raise(HcaEvent.WQ_ACCESS_ERROR, queuePair.number(), 0);
    events.raise(HcaEvent.CQ_ERROR, completions.number(), HcaEvent.CQ_OVERRUN);
    events.raise(HcaEvent.PORT_CHANGE, 0, 4);
    assertThat(device.pollEvent())
        .isEqualTo(new AsyncEvent(AsyncEvent.Type.WQ_ACCESS_ERROR, queuePair.number(), 0));
    assertThat(device.awaitEvent(Duration.ofMinutes(1)))
        .isEqualTo(new AsyncEvent(AsyncEvent.Type.CQ_ERROR, completions.number(), 1));
    assertThat(device.awaitEvent(Duration.ofMinutes(1)))
        .isEqualTo(new AsyncEvent(AsyncEvent.Type.PORT_CHANGE, 0, 4));
    assertThat(device.awaitEvent(Duration.ZERO)).isNull();
  }

  @Test
  void waitingForEventsOfALostDeviceSaysSo() {
    Device device = Device.over(hca);
    hca.onProgress =
        () -> {
          throw new DeviceLostException("lost");
        };
    assertThatExceptionOfType(DeviceLostException.class)
        .isThrownBy(() -> device.awaitEvent(Duration.ZERO));
  }

  @Test
  void allEventsOfAQueuePairHaveANameExceptFutureOnes() {
    Device device = Device.over(hca);
    ProtectionDomain domain = device.allocateProtectionDomain();
    RcQueuePair queuePair = domain.rcQueuePair(device.createCompletionQueue(16)).create();
    List<Integer> types =
        hca.channels.getFirst().subscriptions.stream()
            .filter(subscription -> subscription[0] == queuePair.number())
            .map(subscription -> (int) subscription[1])
            .toList();
    assertThat(types).hasSizeGreaterThan(5);
    for (int type : types) {
      assertThat(AsyncEvent.of(new HcaEvent(type, 1, 0, 0)).type())
          .isNotEqualTo(AsyncEvent.Type.OTHER);
    }
    assertThat(AsyncEvent.of(new HcaEvent(0x1c, 1, 0, 0)).type()).isEqualTo(AsyncEvent.Type.OTHER);
  }

  @Test
  void objectsOfTwoDevicesDoNotMix() {
    Device one = Device.over(hca);
    Device other = Device.over(new FakeHca());
    CompletionQueue completions = other.createCompletionQueue(16);
    ProtectionDomain domain = one.allocateProtectionDomain();
    RcQueuePairBuilder plan = domain.rcQueuePair(completions);
    assertThatIllegalArgumentException()
        .isThrownBy(plan::create)
        .withMessage(
            "%s belongs to device fake, and %s to another one, device fake: use one device for both"
                .formatted(completions, domain));
  }

  @Test
  void aDeviceThatFailsToOpenIsClosed() {
    hca.refused.add(CommandOpcode.QUERY_HCA_CAP);
    assertThatThrownBy(() -> Device.over(hca)).isInstanceOf(HcaException.class);
    assertThat(hca.closings()).containsExactly("device");
  }

  @Test
  void theClockAndProgressAreThoseOfTheDevice() {
    try (Device device = Device.over(hca)) {
      assertThat(device.clock()).isEqualTo(42);
      assertThat(device.progress()).isZero();
      assertThat(hca.progressCalls).isEqualTo(1);
      assertThat(device.name()).isEqualTo("fake");
      assertThat(device.diagnosis()).isPresent();
      assertThat(device.gid(1, 0)).isEqualTo(FakeHca.GID);
      assertThat(device.port(1).activeMtu()).isEqualTo(1024);
    }
  }
}
