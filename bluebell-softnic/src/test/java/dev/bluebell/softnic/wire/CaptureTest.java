package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaManagement;
import dev.bluebell.hca.HcaManagement.Datagram;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.CmMad;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.fabric.PacketSink;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.Heard;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.wire.TwoDevices.Pair;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The capture file of a device. */
@ResourceLock(TwoDevices.ADDRESSES)
class CaptureTest {
  private static final Path TSHARK = Path.of("/usr/bin/tshark");

  @TempDir private Path directory;

  private List<String> opcodes(Path file) {
    return SoftRoce.packets(file, LinkType.RAW_IP).stream()
        .map(packet -> BthOpcode.text(Bth.OPCODE.getInt(ByteBuffer.wrap(packet.transport()), 0)))
        .toList();
  }

  private Path file(String name) {
    return directory.resolve(name + ".pcap");
  }

  @Test
  void packetsInsideTheDeviceAreWrittenAsOnAWire() {
    Path file = file("inside");
    try (Rig rig = Rigs.open(options -> options.withCapture(file))) {
      RawPair pair = rig.pair(new Settings().mtu(3));
      RawMemory memory = rig.memory(8192).fill(1);
      pair.left().post(Wqe.write(memory, 4096).data(memory, 0, 2500));
      pair.left().post(Wqe.read(memory, 0).data(memory, 4096, 10));
      pair.left().post(Wqe.fetchAndAdd(memory, 0, 1).data(memory, 8, 8));
      rig.settle();
    }
    assertThat(opcodes(file))
        .containsExactlyInAnyOrder(
            "RC_WRITE_FIRST",
            "RC_WRITE_MIDDLE",
            "RC_WRITE_LAST",
            "RC_READ_REQUEST",
            "RC_READ_RESPONSE_ONLY",
            "RC_FETCH_ADD",
            "RC_ATOMIC_ACKNOWLEDGE");
  }

  @Test
  void bothDevicesOfANetworkSeeTheSamePackets() {
    Path near = file("near");
    Path far = file("far");
    try (TwoDevices devices =
        new TwoDevices(options -> options.withCapture(near), options -> options.withCapture(far))) {
      Pair pair = devices.pair();
      RawMemory own = devices.near.memory(9000).fill(1);
      RawMemory theirs = devices.far.memory(9000);
      pair.near().post(Wqe.write(theirs, 0).data(own, 0, 9000));
      devices.settle();
    }
    assertThat(opcodes(near))
        .containsExactly("RC_WRITE_FIRST", "RC_WRITE_MIDDLE", "RC_WRITE_LAST", "RC_ACKNOWLEDGE");
    assertThat(opcodes(far)).isEqualTo(opcodes(near));
  }

  @Test
  void datagramsOfTheConnectionManagerAreThereOnBothDevices() {
    Path near = file("near");
    Path far = file("far");
    try (TwoDevices devices =
        new TwoDevices(options -> options.withCapture(near), options -> options.withCapture(far))) {
      HcaManagement sender = devices.near.nic().openManagement().orElseThrow();
      HcaManagement receiver = devices.far.nic().openManagement().orElseThrow();
      sender.send(new Datagram(receiver.gid(), CmMad.QPN, new byte[CmMad.BYTES]));
      devices.settle();
    }
    assertThat(opcodes(near)).containsExactly("UD_SEND_ONLY");
    assertThat(opcodes(far)).containsExactly("UD_SEND_ONLY");
  }

  /** A packet of zeros for a queue pair that does not exist. */
  private static byte[] packet(int opcode, int bytes) {
    ByteBuffer packet = ByteBuffer.allocate(12 + bytes + 4);
    Bth.OPCODE.put(packet, 0, opcode);
    Bth.P_KEY.put(packet, 0, 0xffff);
    Bth.DEST_QP.put(packet, 0, 0x7777);
    return packet.array();
  }

  @Test
  void aPacketLongerThanAnyPathMtuIsMalformedAndNotWritten() {
    Path file = file("long");
    try (Rig rig = TwoDevices.open(TwoDevices.NEAR, options -> options.withCapture(file));
        Peer peer = new Peer(TwoDevices.FAR, TwoDevices.NEAR)) {
      peer.send(peer.sealed(packet(BthOpcode.SEND_ONLY, 4096), 0, view -> {}));
      peer.send(peer.sealed(packet(BthOpcode.SEND_ONLY, 4100), 0, view -> {}));
      peer.send(peer.sealed(packet(BthOpcode.WRITE_ONLY, 16), 0, view -> {}));
      rig.settle();
      assertThat(TwoDevices.network(rig)).contains("rx_malformed 1,");
    }
    assertThat(opcodes(file)).containsExactly("RC_SEND_ONLY", "RC_WRITE_ONLY");
  }

  @Test
  void packetsThatTheDeviceCannotWriteAreOmitted() {
    Path file = file("later");
    try (Rig rig = TwoDevices.open(TwoDevices.NEAR, options -> options.withCapture(file));
        Peer peer = new Peer(TwoDevices.FAR, TwoDevices.NEAR)) {
      for (int opcode : new int[] {BthOpcode.FLUSH, BthOpcode.ATOMIC_WRITE}) {
        peer.send(peer.sealed(packet(opcode, 24), 0, view -> {}));
      }
      peer.send(peer.sealed(packet(BthOpcode.SEND_ONLY, 0), 0, view -> {}));
      rig.settle();
      assertThat(TwoDevices.network(rig)).contains("rx_malformed 0, rx_unknown_opcode 0");
      assertThat(rig.explanations())
          .contains(
              file
                  + " omits packets: this device has no format for the operations FLUSH and"
                  + " ATOMIC_WRITE");
    }
    assertThat(opcodes(file)).containsExactly("RC_SEND_ONLY");
  }

  @Test
  void aPacketThatIsLostAndItsRetransmissionAreBothThere() {
    Path file = file("lossy");
    try (Rig rig =
        Rigs.open(options -> options.withLoss(LossOptions.none(1).withLoss(1)).withCapture(file))) {
      RawPair pair = rig.pair(new Settings().timeout(1).retryCount(1));
      RawMemory memory = rig.memory(64);
      pair.left().post(Wqe.write(memory, 0).data(memory, 32, 8));
      rig.settle();
      rig.pass(10_000);
      rig.pass(10_000);
    }
    assertThat(opcodes(file)).containsExactly("RC_WRITE_ONLY", "RC_WRITE_ONLY");
  }

  @Test
  void packetsWithoutAPublicFormatAreLeftOutAndThisIsSaid() {
    try (Rig rig = Rigs.open(options -> options.withCapture(file("masked")))) {
      RawPair pair = rig.pair();
      RawMemory memory = rig.memory(64);
      pair.left().post(Wqe.maskedAdd(memory, 0, 1, 0).data(memory, 8, 8));
      rig.settle();
      assertThat(pair.left().sends().pollOne().isError()).isFalse();
      assertThat(rig.explanation()).contains("masked.pcap omits packets: masked atomics");
    }
  }

  @Test
  void aFileThatCanNotBeCreatedIsRefused() {
    assertThatThrownBy(() -> Rigs.open(options -> options.withCapture(directory)))
        .isInstanceOf(HcaException.class)
        .hasMessage(
            "pcap=%s of device soft: the file can't be written: Is a directory; name another file",
            directory);
    Path lost = directory.resolve("missing/x.pcap");
    assertThatThrownBy(() -> Rigs.open(options -> options.withCapture(lost)))
        .isInstanceOf(HcaException.class)
        .hasMessageContaining("its folder does not exist; ")
        .hasMessageNotContaining("Exception");
  }

  @Test
  void aFailingDiskEndsTheCaptureAndNotTheDevice() {
    Explanations explanations = new Explanations();
    Capture capture = new Capture(file("failing"), new DeviceTime(), explanations);
    capture.close();
    List<Packet> delivered = new ArrayList<>();
    PacketSink sink =
        capture.before(
            new PacketSink() {
              @Override
              public @Nullable Client owner(Packet packet) {
                return null;
              }

              @Override
              public void arrive(Packet packet) {
                delivered.add(packet);
              }

              @Override
              public void lost(Packet packet, String why) {}
            });
    Packet packet = new Packet();
    packet.opcode = BthOpcode.ACKNOWLEDGE;
    sink.arrive(packet);
    sink.arrive(packet);
    assertThat(delivered).hasSize(2);
    assertThat(explanations.all()).hasSize(1);
    Heard.addAll(explanations.all());
    assertThat(explanations.all().getFirst())
        .contains("failing.pcap has no more packets, because writing failed");
  }

  @Test
  void anInfiniBandPortHasNothingToCapture() {
    assertThatThrownBy(
            () ->
                SoftNicOptions.DEFAULT.withCapture(file("ib")).withLinkLayer(LinkLayer.INFINIBAND))
        .hasMessageContaining("leave out link=infiniband");
  }

  @Test
  void wiresharkFindsNothingMalformed() throws IOException, InterruptedException {
    assumeThat(TSHARK).exists();
    Path file = file("judged");
    try (TwoDevices devices = new TwoDevices(options -> options.withCapture(file), o -> o)) {
      Pair pair = devices.pair(0, () -> new Settings().mtu(3));
      RawMemory own = devices.near.memory(9000).fill(1);
      RawMemory theirs = devices.far.memory(9000);
      pair.far().receive(theirs.address(0), 9000, theirs.key());
      pair.near().post(Wqe.send().data(own, 0, 4321));
      pair.near().post(Wqe.write(theirs, 0).data(own, 0, 9000));
      pair.near().post(Wqe.read(theirs, 0).data(own, 0, 9000));
      pair.near().post(Wqe.compareAndSwap(theirs, 0, 1, 2).data(own, 0, 8));
      devices.settle();
    }
    Path errors = directory.resolve("errors");
    Process tshark =
        new ProcessBuilder(
                TSHARK.toString(),
                "-r",
                file.toString(),
                "--disable-protocol",
                "rpcordma",
                "--disable-protocol",
                "infiniband.eoib",
                "-T",
                "fields",
                "-e",
                "infiniband.bth.opcode",
                "-e",
                "_ws.malformed")
            .redirectError(errors.toFile())
            .start();
    List<String> lines = tshark.inputReader().lines().toList();
    assertThat(tshark.waitFor()).as(Files.readString(errors)).isZero();
    assertThat(lines).hasSizeGreaterThan(25).allMatch(line -> line.matches("\\d+\\t"));
  }
}
