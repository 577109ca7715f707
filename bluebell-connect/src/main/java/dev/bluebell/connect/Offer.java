package dev.bluebell.connect;

import dev.bluebell.verbs.RemoteMemory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The data that each side sends to the other when they connect: private bytes of the application,
 * and memory that the other side may use in its requests.
 */
public final class Offer {
  /** Maximum number of private bytes of the connecting side, as in RDMA CM. */
  public static final int MAX_CONNECT_BYTES = 56;

  /** Maximum number of private bytes of the accepting side, as in RDMA CM. */
  public static final int MAX_ACCEPT_BYTES = 196;

  /** Maximum number of pieces of memory. */
  public static final int MAX_MEMORY = 16;

  /** An empty offer. */
  public static final Offer NOTHING = new Offer(new byte[0], List.of());

  private final byte[] privateData;
  private final List<RemoteMemory> memory;

  /**
   * @param privateData at most {@link #MAX_CONNECT_BYTES} or {@link #MAX_ACCEPT_BYTES}
   * @param memory at most {@link #MAX_MEMORY} pieces
   * @throws IllegalArgumentException when there are more than {@link #MAX_ACCEPT_BYTES} bytes or
   *     {@link #MAX_MEMORY} pieces
   */
  public Offer(byte[] privateData, List<RemoteMemory> memory) {
    if (privateData.length > MAX_ACCEPT_BYTES || memory.size() > MAX_MEMORY) {
      throw new IllegalArgumentException(
          "%d private bytes and %d pieces of memory: an offer has at most %d and %d"
              .formatted(privateData.length, memory.size(), MAX_ACCEPT_BYTES, MAX_MEMORY));
    }
    this.privateData = privateData.clone();
    this.memory = List.copyOf(memory);
  }

  /** An offer of memory without private bytes. */
  public static Offer of(RemoteMemory... memory) {
    return new Offer(new byte[0], List.of(memory));
  }

  /** The private bytes of the application. */
  public byte[] privateData() {
    return privateData.clone();
  }

  /** Memory that the other side may use in its requests. */
  public List<RemoteMemory> memory() {
    return memory;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Offer offer
        && Arrays.equals(privateData, offer.privateData)
        && memory.equals(offer.memory);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(privateData), memory);
  }

  @Override
  public String toString() {
    return "private data %s, memory %s".formatted(HexFormat.of().formatHex(privateData), memory);
  }
}
