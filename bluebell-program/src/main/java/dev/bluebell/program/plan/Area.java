package dev.bluebell.program.plan;

import java.util.Map;
import java.util.TreeMap;

/**
 * Memory of a program beside its queues, aligned to 8 bytes, with its content at the start. Data of
 * the program is a region with a key of its own, so that a pointer into it reaches nothing else;
 * all other areas share one.
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

  /** Memory that the program's source names. */
  public static Area ofData(String name, byte[] content) {
    return new Area(name, content.clone(), Use.DATA);
  }

  /** Memory that holds what is on its way. */
  public static Area of(String name, byte[] content) {
    return new Area(name, content.clone(), Use.WORD);
  }

  /** Memory that takes what nobody wants: nothing is read from it, so order in it is no matter. */
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

  /** A copy of the content at the start; addresses in it are 0. */
  public byte[] content() {
    return content.clone();
  }

  /** Which addresses stand in the content, 8 bytes in network order, by their offset. */
  public Map<Integer, Span> addresses() {
    return Map.copyOf(addresses);
  }

  /** True for memory that the program's source names. */
  public boolean isData() {
    return use == Use.DATA;
  }

  /** True when nobody reads what is written here. */
  public boolean isSink() {
    return use == Use.SINK;
  }

  /** Changes the content at the start. */
  public void put(int offset, byte... bytes) {
    System.arraycopy(bytes, 0, content, offset, bytes.length);
  }

  /** Puts an address into the content at the start. */
  public void put(int offset, Span to) {
    addresses.put(offset, to);
  }

  /** Sets bits of its first 8 bytes, a number with the least byte first. */
  public void or(long bits) {
    for (int i = 0; i < Long.BYTES; i++) {
      content[i] |= (byte) (bits >>> 8 * i);
    }
  }

  /** All of it. */
  public Span whole() {
    return span(0, content.length);
  }

  /** A range of it. */
  public Span span(int offset, int length) {
    return new Span(this, offset, length);
  }
}
