package dev.bluebell.hca.counter;

import dev.bluebell.hca.command.VportCommands.MadIfcOut;
import dev.bluebell.hca.structure.Field;
import java.nio.ByteBuffer;

/**
 * A Get of PortCounters, an attribute of performance management. Mirrors the InfiniBand
 * Architecture, volume 1, 16.1.3.5, and {@code ib_pma.h: ib_pma_portcounters}.
 */
public final class PerformanceMad {
  /** The management class. */
  public static final int CLASS = 0x04;

  /** The attribute. */
  public static final int PORT_COUNTERS = 0x12;

  /** Offset of LinkDownedCounter in the data of the attribute. */
  public static final int LINK_DOWNED_AT = 7;

  private static final int BYTES = 256;
  private static final int DATA_AT = 64;

  /** LinkDownedCounter in the answer of MAD_IFC. It stops at its largest value. */
  static final Field LINK_DOWNED =
      new Field(
          "link_downed_counter",
          MadIfcOut.RESPONSE_MAD_PACKET.bit() + (DATA_AT + LINK_DOWNED_AT) * Byte.SIZE,
          Byte.SIZE);

  private PerformanceMad() {}

  /** The bytes of the packet. */
  public static byte[] get() {
    return ByteBuffer.allocate(BYTES)
        .put((byte) 1)
        .put((byte) CLASS)
        .put((byte) 1)
        .put((byte) 1)
        .putShort(16, (short) PORT_COUNTERS)
        .put(DATA_AT + 1, (byte) 1)
        .array();
  }
}
