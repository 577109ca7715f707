package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Icrc;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.Heard;
import dev.bluebell.softnic.wire.SoftRoce.Captured;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets as bytes, compared with packets that Soft-RoCE sent. */
@ResourceLock(TwoDevices.ADDRESSES)
class WireFormatTest {
  private static final Gid HERE4 = TwoDevices.gid(TwoDevices.address(2));
  private static final Gid THERE4 = TwoDevices.gid(TwoDevices.address(9));
  private static final Gid HERE6 = TwoDevices.gid("fd77::2");
  private static final Gid THERE6 = TwoDevices.gid("fd77::9");

  private static Sender sender(Gid gid) {
    return new Sender(gid.high(), gid.low(), 4791);
  }

  /** Puts a packet from BTH to ICRC behind the place of IP and UDP header. */
  private static Problem put(WireFormat format, byte[] transport, Gid from, Gid to) {
    int at = WireFormat.headerBytes(to.equals(HERE4));
    format.buffer().clear();
    format.buffer().put(at, transport);
    return format.wrap(at, transport.length, sender(from), 0, 0, to.high(), to.low());
  }

  private static void address(Packet packet, Gid from, Gid to) {
    packet.sourceGidHigh = from.high();
    packet.sourceGidLow = from.low();
    packet.destinationGidHigh = to.high();
    packet.destinationGidLow = to.low();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyCapturedPacketIsWrittenAsItWasRead(boolean ipv4) {
    Gid from = ipv4 ? THERE4 : THERE6;
    Gid to = ipv4 ? HERE4 : HERE6;
    WireFormat in = new WireFormat();
    WireFormat out = new WireFormat();
    PacketView view = new PacketView();
    Packet packet = new Packet();
    Set<Integer> opcodes = new HashSet<>();
    int compared = 0;
    List<Captured> all =
        SoftRoce.files()
            .flatMap(file -> SoftRoce.packets(file, LinkType.ETHERNET).stream())
            .toList();
    for (Captured captured : all) {
      byte[] transport = captured.transport();
      assertThat(put(in, transport, from, to)).isEqualTo(Problem.NONE);
      in.decode(packet, sender(from), to.high(), to.low());
      opcodes.add(packet.opcode);
      int end = out.encode(packet, 4791);
      int at = WireFormat.headerBytes(ipv4);
      byte[] written = new byte[end - at];
      out.buffer().get(at, written);
      assertThat(body(written)).as(packet.toString()).isEqualTo(body(transport));
      assertThat(view.wrap(out.buffer(), 0, end, end, ipv4 ? LinkType.IPV4 : LinkType.IPV6))
          .isEqualTo(Problem.NONE);
      assertThat(view.isIcrcGood()).isTrue();
      assertThat(put(in, written, from, to)).isEqualTo(Problem.NONE);
      assertThat(in.identification()).isZero();
      compared++;
    }
    assertThat(compared).isGreaterThan(1800);
    assertThat(opcodes).hasSizeGreaterThan(25);
  }

  /** All bytes but the ICRC, without MigReq, which the device sends as 0 and ignores. */
  private static byte[] body(byte[] transport) {
    byte[] body = Arrays.copyOf(transport, transport.length - Icrc.BYTES);
    Bth.M.put(ByteBuffer.wrap(body), 0, 0);
    return body;
  }

  @Test
  void anyIdentificationIsAcceptedAndAWrongByteIsNot() {
    try (Peer peer = new Peer(TwoDevices.address(9), TwoDevices.address(2))) {
      WireFormat in = new WireFormat();
      for (Captured captured : SoftRoce.packets("rc_write_multi")) {
        for (int identification : new int[] {0, 1, 0x1234, 0xffff}) {
          byte[] sealed = peer.sealed(captured.transport(), identification, view -> {});
          assertThat(put(in, sealed, THERE4, HERE4)).isEqualTo(Problem.NONE);
          assertThat(in.identification()).isEqualTo(identification);
          for (int at = 1; at < sealed.length; at += 37) {
            if (at == 4) {
              continue;
            }
            byte[] spoilt = sealed.clone();
            spoilt[at] ^= 0x10;
            if (put(in, spoilt, THERE4, HERE4) == Problem.NONE) {
              assertThat(in.identification()).as("byte %d changed", at).isNegative();
            }
          }
        }
      }
    }
  }

  /** Otherwise a responder would not recognize a duplicate atomic behind another packet. */
  @Test
  void anAtomicHasTheLengthOfItsOperandWhateverCameBefore() {
    WireFormat out = new WireFormat();
    WireFormat in = new WireFormat();
    Packet sent = new Packet();
    Packet arrived = new Packet();
    address(sent, THERE4, HERE4);
    for (int opcode : new int[] {BthOpcode.READ_REQUEST, BthOpcode.FETCH_ADD}) {
      sent.opcode = opcode;
      sent.length = 4096;
      int at = WireFormat.headerBytes(true);
      byte[] transport = new byte[out.encode(sent, 4791) - at];
      out.buffer().get(at, transport);
      assertThat(put(in, transport, THERE4, HERE4)).isEqualTo(Problem.NONE);
      in.decode(arrived, sender(THERE4), HERE4.high(), HERE4.low());
      assertThat(arrived.opcode).isEqualTo(opcode);
    }
    assertThat(arrived.length).isEqualTo(Long.BYTES);
  }

  @Test
  void packetsWithoutAWireFormatAreNamed() {
    Packet packet = new Packet();
    address(packet, THERE4, HERE4);
    packet.opcode = 0xc4;
    assertThat(heard(packet)).contains("dynamic connections (DC) have no public format");
    packet.opcode = BthOpcode.FETCH_ADD;
    packet.masked.bytes = 8;
    assertThat(heard(packet)).contains("masked atomics have no public packet format");
    packet.opcode = BthOpcode.ATOMIC_ACKNOWLEDGE;
    assertThat(WireFormat.whyNot(packet)).isEmpty();
    packet.originalHigh = 1;
    assertThat(heard(packet)).contains("masked atomics have no public packet format");
    packet.originalHigh = 0;
    packet.v1 = true;
    assertThat(heard(packet)).contains("RoCE v1 has no UDP");
    packet.v1 = false;
    assertThat(WireFormat.whyNot(packet)).isEmpty();
  }

  private static String heard(Packet packet) {
    String why = WireFormat.whyNot(packet);
    Heard.add(why);
    return why;
  }

  @Test
  void aShortBufferIsNotAPacket() {
    WireFormat in = new WireFormat();
    int at = WireFormat.headerBytes(true);
    for (int bytes = 0; bytes < 16; bytes++) {
      assertThat(in.wrap(at, bytes, sender(THERE4), 0, 0, HERE4.high(), HERE4.low()))
          .isNotEqualTo(Problem.NONE);
    }
  }
}
