package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.SharedMemory;
import dev.bluebell.uverbs.call.ShimChannel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** This process as a client of a {@link Host}: sends calls byte by byte, and plays the shim. */
final class RawClient implements AutoCloseable {
  static final int HELLO = 0;
  static final int IOCTL = 1;
  static final int WRITE = 2;
  static final int ALLOC_PD = 3;
  private static final int DONE = 3;
  private static final int INSTALL = 1;
  private static final int MAP = 2;
  private static final int UNMAP = 3;
  private static final long VERBS_IOCTL = 0xc0181b01L;

  private final LocalSocket socket;
  private final Arena arena = Arena.ofShared();
  private final List<Integer> descriptors = new ArrayList<>();
  private final List<Pages> mapped = new ArrayList<>();
  private final List<Pages> unmapped = new ArrayList<>();
  private final List<Integer> protections = new ArrayList<>();
  private int errno;

  /** Pages that the server wanted to be shared, or not any more. */
  record Pages(long address, long bytes) {}

  RawClient(Host host) throws IOException {
    socket = LocalSocket.connect(host.socket());
  }

  void send(byte[] message) throws IOException {
    socket.send(arena.allocateFrom(ValueLayout.JAVA_BYTE, message));
  }

  /** Greets the server and maps the device file that it answers with, from its start. */
  MemorySegment map(long bytes) throws IOException {
    MemorySegment message =
        arena.allocateFrom(ValueLayout.JAVA_LONG, HELLO, ShimChannel.PROTOCOL_VERSION, 0, 0);
    socket.send(message);
    return SharedMemory.map(socket.receive(message).descriptor(), 0, bytes, () -> {});
  }

  /** Makes a call; its result. Keeps descriptors that the server installs. */
  long call(long kind, long a, long b, long c) throws IOException {
    MemorySegment message = arena.allocateFrom(ValueLayout.JAVA_LONG, kind, a, b, c);
    socket.send(message);
    while (true) {
      LocalSocket.Received received = socket.receive(message);
      if (received.bytes() != message.byteSize()) {
        throw new IOException("the server hung up");
      }
      if (received.descriptor() >= 0) {
        descriptors.add(received.descriptor());
      }
      long reply = message.getAtIndex(ValueLayout.JAVA_LONG, 0);
      if (reply == 0) {
        return message.getAtIndex(ValueLayout.JAVA_LONG, 1);
      }
      if (reply == MAP || reply == UNMAP) {
        Pages pages =
            new Pages(
                message.getAtIndex(ValueLayout.JAVA_LONG, 2),
                message.getAtIndex(ValueLayout.JAVA_LONG, 3));
        (reply == MAP ? mapped : unmapped).add(pages);
        if (reply == UNMAP) {
          protections.add((int) message.getAtIndex(ValueLayout.JAVA_LONG, 1));
        }
        if (errno == 0) {
          Descriptors.replacePages(pages.address(), pages.bytes(), received.descriptor());
        }
      }
      long value = reply == INSTALL ? received.descriptor() : 0;
      socket.send(arena.allocateFrom(ValueLayout.JAVA_LONG, DONE, errno, value, 0));
    }
  }

  /** From now on, does nothing that the server asks for, and answers with an error number. */
  void refuse(int errno) {
    this.errno = errno;
  }

  /** An ioctl with attributes of 16 bytes, given as pairs of words. */
  long ioctl(int object, int method, long... attributes) throws IOException {
    int count = attributes.length / 2;
    Fields header =
        Fields.of(24 + 16 * count)
            .u16(0, 24 + 16 * count)
            .u16(2, object)
            .u16(4, method)
            .u16(6, count)
            .u32(16, 1);
    for (int i = 0; i < attributes.length; i++) {
      header.u64(24 + 8 * i, attributes[i]);
    }
    MemorySegment memory = arena.allocate(header.size(), 8);
    memory.copyFrom(MemorySegment.ofArray(header.bytes()));
    long result = call(IOCTL, VERBS_IOCTL, memory.address(), 0);
    for (int i = 0; i < attributes.length; i++) {
      attributes[i] = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, 24 + 8L * i);
    }
    return result;
  }

  /** The first word of a mandatory attribute. */
  static long attribute(int id, int length) {
    return id | (long) length << 16 | 1L << 32;
  }

  /** Allocates a protection domain; its handle. */
  int allocateDomain() throws IOException {
    MemorySegment out = memory(8);
    assertThat(write(ALLOC_PD, new byte[8], out)).isEqualTo(16);
    return out.get(ValueLayout.JAVA_INT, 0);
  }

  /** Pages that the server shared so far, in its order. */
  List<Pages> mapped() {
    return mapped;
  }

  /** Pages that the server gave back so far, in its order. */
  List<Pages> unmapped() {
    return unmapped;
  }

  /** How this client may access the pages that the server gave back, in its order. */
  List<Integer> protections() {
    return protections;
  }

  /** Memory of this client. */
  MemorySegment memory(int bytes) {
    return arena.allocate(bytes, 4096);
  }

  /** A write command in the legacy form, with output of {@code outBytes} at {@code out}. */
  long write(int command, byte[] input, MemorySegment out) throws IOException {
    Fields all =
        Fields.of(8 + input.length)
            .u32(0, command)
            .u16(4, (8 + input.length) / 4)
            .u16(6, (int) out.byteSize() / 4)
            .bytes(8, input);
    if (out.byteSize() > 0) {
      all.u64(8, out.address());
    }
    MemorySegment memory = arena.allocate(all.size(), 8);
    memory.copyFrom(MemorySegment.ofArray(all.bytes()));
    return call(WRITE, 0, memory.address(), all.size());
  }

  @Override
  public void close() {
    socket.close();
    descriptors.forEach(Descriptors::close);
    // Other tests get the memory that the arena frees, and expect it to be their own.
    mapped.forEach(pages -> Descriptors.replacePages(pages.address(), pages.bytes(), -1));
    arena.close();
  }
}
