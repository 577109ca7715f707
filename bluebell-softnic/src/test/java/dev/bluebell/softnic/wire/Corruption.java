package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.roce.packet.Problem;
import dev.bluebell.roce.packet.Udp;
import dev.bluebell.softnic.packet.Packet;
import java.nio.ByteBuffer;
import java.util.Random;

/** Changes a bit of packets on their way, in the bytes that they have on a network of IPv6. */
public final class Corruption {
  /** The byte of the BTH that has FECN and BECN: the only one that the ICRC leaves out. */
  private static final int MASKED_BYTE = 4;

  private final WireFormat format = new WireFormat();

  /**
   * Changes a random bit between BTH and ICRC of what a packet is on the wire; true when a device
   * still takes it, because the bit is one that no check covers.
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
        .as("a change of byte %d of %s is not noticed", at, packet)
        .isEqualTo(at == MASKED_BYTE);
    return taken;
  }
}
