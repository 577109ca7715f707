package dev.bluebell.program.plan;

import java.util.Map;
import java.util.TreeMap;

/**
 * Memory of a program outside of its queues, aligned to 8 bytes, with its initial content. Each
 * data of the program is a region with a key of its own, so a pointer into it cannot access
 * anything else; all other areas share a region.
 */
public final class Area implements Block {
  private final String name;
  private final byte[] content;
  private final Use use;
  private final Map<Integer, Span> addresses = new TreeMap<>();

  private enum Use {
    DATA,
    WORD,
    SINK
  }

  private Area(String name, byte[] content, Use use) {
    this.name = name;
    this.content = content;
    this.use = use;
  }

  /** Memory that the program's source declares. */
  public static Area ofData(String name, byte[] content) {
    return new Area(name, content.clone(), Use.DATA);
  }

  /** Memory for intermediate values. */
  public static Area of(String name, byte[] content) {
    return new Area(name, content.clone(), Use.WORD);
  }

  /**
   * Memory for bytes that are discarded: it is never read, so the order of its writes does not
   * matter.
   */
  public static Area sink(int bytes) {
    return new Area("sink", new byte[bytes], Use.SINK);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int bytes() {
    return content.length;
  }

  /** A copy of the initial content; addresses in it are 0. */
  public byte[] content() {
    return content.clone();
  }

  /** The addresses in the initial content, 8 bytes in network order, by their offset. */
  public Map<Integer, Span> addresses() {
    return Map.copyOf(addresses);
  }

  /** True for memory that the program's source declares. */
  public boolean isData() {
    return use == Use.DATA;
  }

  /** True for memory that is never read. */
  public boolean isSink() {
    return use == Use.SINK;
  }

  /** Changes the initial content. */
  public void put(int offset, byte... bytes) {
    System.arraycopy(bytes, 0, content, offset, bytes.length);
  }

  /** Puts an address into the initial content. */
  public void put(int offset, Span to) {
    addresses.put(offset, to);
  }

  /** Sets bits of its first 8 bytes, a little-endian number. */
  public void or(long bits) {
    for (int i = 0; i < Long.BYTES; i++) {
      content[i] |= (byte) (bits >>> 8 * i);
    }
  }

  public Span whole() {
    return span(0, content.length);
  }

  public Span span(int offset, int length) {
    return new Span(this, offset, length);
  }
}
