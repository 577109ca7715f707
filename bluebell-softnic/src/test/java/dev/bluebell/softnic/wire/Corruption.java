package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.roce.packet.Problem;
import dev.bluebell.roce.packet.Udp;
import dev.bluebell.softnic.packet.Packet;
import java.nio.ByteBuffer;
import java.util.Random;

/** Flips bits of packets in transit, in their wire format over IPv6. */
public final class Corruption {
  /** The byte of the BTH that has FECN and BECN: the only one that the ICRC leaves out. */
  private static final int MASKED_BYTE = 4;

  private final WireFormat format = new WireFormat();

  /**
   * Flips a random bit of a packet's wire format, from BTH to ICRC; true when a device still
   * accepts the packet, because no check covers the bit.
   */
  public boolean survives(Packet packet, Random random) {
    int bth = WireFormat.headerBytes(false);
    int bytes = format.encode(packet, Udp.ROCE_PORT) - bth;
    int at = random.nextInt(bytes);
    ByteBuffer buffer = format.buffer();
    buffer.put(bth + at, (byte) (buffer.get(bth + at) ^ 1 << random.nextInt(8)));
    Sender sender = new Sender(packet.sourceGidHigh, packet.sourceGidLow, Udp.ROCE_PORT);
    Problem problem =
        format.wrap(bth, bytes, sender, 0, 0, packet.destinationGidHigh, packet.destinationGidLow);
    boolean taken = problem == Problem.NONE && format.identification() >= 0;
    assertThat(taken)
        .as("a change of byte %d of %s is accepted", at, packet)
        .isEqualTo(at == MASKED_BYTE);
    return taken;
  }
}
