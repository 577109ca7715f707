package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaManagement;
import dev.bluebell.hca.HcaManagement.Datagram;
import dev.bluebell.roce.packet.CmMad;
import dev.bluebell.roce.packet.CmMad.Message;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.rig.Rig;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The datagrams of queue pair 1 between the connection managers of two devices. */
@ResourceLock(TwoDevices.ADDRESSES)
class ManagementQueueTest {
  private static final int MOST = 256;

  private static byte[] mad(int seed) {
    byte[] bytes = new byte[CmMad.BYTES];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static boolean counted(Rig rig, String counter) {
    return rig.nic().diagnosis().orElseThrow().objects().stream()
        .anyMatch(line -> line.contains(counter));
  }

  @Test
  void aDatagramArrivesWithTheAddressOfItsSender() throws InterruptedException {
    try (TwoDevices devices = new TwoDevices()) {
      HcaManagement near = devices.near.nic().openManagement().orElseThrow();
      HcaManagement far = devices.far.nic().openManagement().orElseThrow();
      assertThat(near.gid()).isEqualTo(TwoDevices.gid(TwoDevices.NEAR));
      for (int i = 0; i < 3; i++) {
        assertThat(near.send(new Datagram(far.gid(), CmMad.QPN, mad(i)))).isTrue();
      }
      devices.settle();
      for (int i = 0; i < 3; i++) {
        Datagram datagram = far.receive();
        assertThat(datagram.peer()).isEqualTo(near.gid());
        assertThat(datagram.qpn()).isEqualTo(CmMad.QPN);
        assertThat(datagram.mad()).isEqualTo(mad(i));
      }
      assertThat(counted(devices.near, "tx_cm 3,")).isTrue();
      assertThat(counted(devices.far, "rx_cm 3,")).isTrue();
    }
  }

  @Test
  void datagramsBeyondThoseThatWaitAreLostAndCounted() {
    try (TwoDevices devices = new TwoDevices()) {
      HcaManagement near = devices.near.nic().openManagement().orElseThrow();
      HcaManagement far = devices.far.nic().openManagement().orElseThrow();
      for (int i = 0; i < MOST + 10; i++) {
        assertThat(near.send(new Datagram(far.gid(), CmMad.QPN, mad(i)))).isTrue();
        devices.settle();
      }
      assertThat(counted(devices.far, "rx_cm %d,".formatted(MOST))).isTrue();
      assertThat(counted(devices.far, "rx_cm_dropped 10")).isTrue();
      for (int i = 0; i < MOST; i++) {
        assertThat(near.send(new Datagram(far.gid(), CmMad.QPN, mad(i)))).isTrue();
      }
      assertThat(near.send(new Datagram(far.gid(), CmMad.QPN, mad(0)))).isFalse();
    }
  }

  @Test
  void aLossyFabricLosesDatagrams() {
    try (TwoDevices devices =
        new TwoDevices(
            options -> options.withLoss(LossOptions.none(1).withLoss(1)),
            UnaryOperator.identity())) {
      HcaManagement near = devices.near.nic().openManagement().orElseThrow();
      HcaManagement far = devices.far.nic().openManagement().orElseThrow();
      assertThat(near.send(new Datagram(far.gid(), CmMad.QPN, mad(1)))).isTrue();
      devices.settle();
      assertThat(counted(devices.near, "1 packets sent, 1 lost")).isTrue();
      assertThat(counted(devices.far, "rx_cm 0,")).isTrue();
    }
  }

  @Test
  void aLossyFabricDoublesAndDelaysDatagramsAndLeavesThemWhole() throws InterruptedException {
    try (TwoDevices devices =
        new TwoDevices(
            options -> options.withLoss(LossOptions.none(1).withDuplicate(1).withDelayNanos(1_000)),
            UnaryOperator.identity())) {
      HcaManagement near = devices.near.nic().openManagement().orElseThrow();
      HcaManagement far = devices.far.nic().openManagement().orElseThrow();
      for (int i = 0; i < 3; i++) {
        assertThat(near.send(new Datagram(far.gid(), CmMad.QPN, mad(i)))).isTrue();
      }
      devices.settle();
      devices.pass(10_000);
      for (int i = 0; i < 3; i++) {
        for (int copy = 0; copy < 2; copy++) {
          Datagram datagram = far.receive();
          assertThat(datagram.mad()).isEqualTo(mad(i));
          assertThat(datagram.peer()).isEqualTo(near.gid());
        }
      }
    }
  }

  @Test
  void aDatagramWithoutARouteIsDropped() {
    try (TwoDevices devices = new TwoDevices()) {
      HcaManagement near = devices.near.nic().openManagement().orElseThrow();
      Gid ofOtherVersion = new Gid(0x2001_0db8L << 32, 1);
      assertThat(near.send(new Datagram(ofOtherVersion, CmMad.QPN, mad(1)))).isTrue();
      devices.settle();
      assertThat(counted(devices.near, "tx_refused 1,")).isTrue();
    }
  }

  @Test
  void aDeviceWithAConnectionManagerAnswersNothingByItself() throws InterruptedException {
    try (TwoDevices devices = new TwoDevices()) {
      HcaManagement near = devices.near.nic().openManagement().orElseThrow();
      ByteBuffer question = ByteBuffer.allocate(CmMad.BYTES);
      Message.SIDR_REQ.begin(question, 0, 7);
      Datagram asked = new Datagram(TwoDevices.gid(TwoDevices.FAR), CmMad.QPN, question.array());
      near.send(asked);
      devices.settle();
      assertThat(Message.SIDR_REP.is(ByteBuffer.wrap(near.receive().mad()), 0)).isTrue();
      HcaManagement far = devices.far.nic().openManagement().orElseThrow();
      near.send(asked);
      devices.settle();
      assertThat(far.receive().mad()).isEqualTo(question.array());
      assertThat(counted(devices.near, "rx_cm 1,")).isTrue();
    }
  }

  @Test
  void aDeviceShowsItsConnectionManagersTextAndEndsItsWaits() throws InterruptedException {
    HcaManagement management;
    try (TwoDevices devices = new TwoDevices()) {
      management = devices.near.nic().openManagement().orElseThrow();
      assertThat(devices.near.nic().openManagement())
          .as("the device has a connection manager already")
          .isEmpty();
      management.show(() -> "connection manager: well");
      assertThat(counted(devices.near, "connection manager: well")).isTrue();
    }
    assertThat(management.receive()).isNull();
  }

  @Test
  void aDeviceWithoutANetworkHasNoDatagrams() {
    try (Rig rig = Rigs.open(options -> options)) {
      assertThat(rig.nic().openManagement()).isEmpty();
    }
  }
}
