package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Packets of one length to one peer form runs, which the kernel sends as one. */
@ResourceLock(TwoDevices.ADDRESSES)
class OutgoingTest {
  private static final int PORT = 49_152;
  private static final InetSocketAddress PEER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 4791);

  private final Outgoing out = new Outgoing(PORT, true, 64);

  private void add(int count, int payloadBytes) {
    add(out, count, payloadBytes);
  }

  private static void add(Outgoing out, int count, int payloadBytes) {
    try (Arena arena = Arena.ofConfined()) {
      Packet packet = new Packet();
      Gid gid = Gid.ofIpv4(0x7f00_0001);
      packet.opcode = BthOpcode.RC | BthOpcode.WRITE_MIDDLE;
      packet.sourceGidHigh = gid.high();
      packet.sourceGidLow = gid.low();
      packet.destinationGidHigh = gid.high();
      packet.destinationGidLow = gid.low();
      packet.payload.add(arena.allocate(payloadBytes).address(), payloadBytes);
      packet.payloadBytes = payloadBytes;
      for (int i = 0; i < count; i++) {
        out.add(packet, PEER);
      }
    }
  }

  @Test
  void aRunIsFullWhenTheNextPacketWouldExceedWhatAnIpHeaderCanSay() {
    add(14, 4096);
    assertThat(out.hasFullRun()).isFalse();
    add(1, 4096);
    assertThat(out.hasFullRun()).isTrue();
    assertThat(out.run(out.next())).isEqualTo(15);
  }

  @Test
  void aRunIsFullWhenItHasAsManyPacketsAsTheKernelSegments() {
    add(63, 32);
    assertThat(out.hasFullRun()).isFalse();
    add(1, 32);
    assertThat(out.hasFullRun()).isTrue();
  }

  @Test
  void aShorterPacketEndsARunThatIsNotFull() {
    add(2, 4096);
    add(1, 100);
    assertThat(out.hasFullRun()).isFalse();
    add(1, 4096);
    assertThat(out.run(out.next())).isEqualTo(3);
    assertThat(out.count()).isEqualTo(4);
  }

  @Test
  void noRunIsFullWherePacketsAreSentOneByOne() {
    Outgoing single = new Outgoing(PORT, true, 1);
    add(single, 15, 4096);
    assertThat(single.hasFullRun()).isFalse();
    assertThat(single.run(single.next())).isEqualTo(1);
  }

  @Test
  void sentPacketsAreForgotten() {
    add(15, 4096);
    out.sent(15);
    assertThat(out.hasFullRun()).isFalse();
    assertThat(out.isEmpty()).isTrue();
  }
}
