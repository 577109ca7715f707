package dev.bluebell.verbs;

import dev.bluebell.hca.cqe.Cqe;
import java.util.Set;

/**
 * How a device compresses completions.
 *
 * @param basic whether queues may use the layout {@link CqeCompression#BASIC}
 * @param enhanced whether queues may use the layout {@link CqeCompression#ENHANCED}
 * @param largeEntries whether entries of 128 bytes are compressed as well as those of 64
 * @param formats supported formats of compressed completions of received messages; empty without
 *     compression
 * @param maxSession maximum number of completions that the device writes as one; 0 without
 *     compression
 */
public record CompressionAttributes(
    boolean basic,
    boolean enhanced,
    boolean largeEntries,
    Set<MiniCqeFormat> formats,
    int maxSession) {

  /** Copies the formats. */
  public CompressionAttributes {
    formats = Set.copyOf(formats);
  }

  /** True when the device supports compression. */
  public boolean isSupported() {
    return basic || enhanced;
  }

  /**
   * True when completion queues of this kind can be created.
   *
   * @param cqeBytes size of an entry: 64 or 128
   */
  public boolean supports(CqeCompression layout, int cqeBytes) {
    return switch (layout) {
      case NONE -> true;
      case BASIC -> basic && (largeEntries || cqeBytes == Cqe.BYTES);
      case ENHANCED -> enhanced && (largeEntries || cqeBytes == Cqe.BYTES);
    };
  }
}
