package dev.bluebell.uverbs;

import static dev.bluebell.uverbs.RawClient.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A client of a {@link Host} that uses device memory, byte by byte as libmlx5 does. */
final class DmClient implements AutoCloseable {
  static final int OBJECT = 14;
  static final int MR = 7;
  private static final int PAGE = 4096;

  /** Mapping offset of page index 0: command 8 in bits 8 and up. */
  private static final long WINDOW = 8L << 8 << 12;

  private static final int WINDOW_BYTES = 1 << 20;

  private final RawClient raw;
  private final MemorySegment file;

  DmClient(Host host) throws IOException {
    raw = new RawClient(host);
    file = raw.map(WINDOW + WINDOW_BYTES);
  }

  /** Device memory: its handle and its mapping offset. */
  record Made(long handle, int page, long startOffset) {}

  /** A region: its handle and keys. */
  record Region(long handle, int lkey, int rkey) {}

  RawClient raw() {
    return raw;
  }

  /** The mapping of pages from an index on. */
  MemorySegment map(int page, long bytes) {
    return file.asSlice(WINDOW + (long) page * PAGE, bytes);
  }

  Made allocate(long bytes) throws IOException {
    MemorySegment out = raw.memory(16);
    long[] attributes = allocation(bytes, 0, 0, out);
    assertThat(raw.ioctl(OBJECT, 0, attributes)).isZero();
    return new Made(
        attributes[1], out.get(ValueLayout.JAVA_SHORT, 8), out.get(ValueLayout.JAVA_LONG, 0));
  }

  long refused(long bytes, int logAlignment, long type) throws IOException {
    return raw.ioctl(OBJECT, 0, allocation(bytes, logAlignment, type, raw.memory(16)));
  }

  private static long[] allocation(long bytes, int logAlignment, long type, MemorySegment out) {
    return new long[] {
      attribute(0, 0),
      0,
      attribute(1, 8),
      bytes,
      attribute(2, 4),
      logAlignment & 0xffffffffL,
      attribute(0x1000, 8),
      out.address(),
      attribute(0x1001, 2),
      out.address() + 8,
      attribute(0x1002, 8),
      type
    };
  }

  long free(long handle) throws IOException {
    return raw.ioctl(OBJECT, 1, attribute(0, 0), handle);
  }

  int domain() throws IOException {
    return raw.allocateDomain();
  }

  Region register(int domain, Made memory, long offset, long bytes, int access) throws IOException {
    MemorySegment out = raw.memory(8);
    long[] attributes = registration(domain, memory.handle(), offset, bytes, access, out);
    assertThat(raw.ioctl(MR, 0, attributes)).isZero();
    return new Region(
        attributes[1], out.get(ValueLayout.JAVA_INT, 0), out.get(ValueLayout.JAVA_INT, 4));
  }

  long refused(int domain, long memory, long offset, long bytes, int access) throws IOException {
    return raw.ioctl(MR, 0, registration(domain, memory, offset, bytes, access, raw.memory(8)));
  }

  private static long[] registration(
      int domain, long memory, long offset, long bytes, int access, MemorySegment out) {
    return new long[] {
      attribute(0, 0), 0,
      attribute(1, 8), offset,
      attribute(2, 8), bytes,
      attribute(3, 0), domain,
      attribute(4, 4), access,
      attribute(5, 0), memory,
      attribute(6, 4), out.address(),
      attribute(7, 4), out.address() + 4
    };
  }

  long deregister(long region) throws IOException {
    return raw.ioctl(MR, 1, attribute(0, 0), region);
  }

  @Override
  public void close() {
    raw.close();
  }
}
