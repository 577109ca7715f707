package dev.bluebell.uverbs;

import dev.bluebell.uverbs.call.ShimChannel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** This process as a client of the connection manager of a {@link Host}, command by command. */
final class ManagerClient implements AutoCloseable {
  static final int MANAGER = 6;
  static final int PS_TCP = 0x106;
  static final int PS_UDP = 0x111;

  private static final int HEADER_BYTES = 8;
  private static final int CREATE_ID = 0;
  private static final int DESTROY_ID = 1;
  private static final int BIND_IP = 2;
  private static final int AF_INET = 2;

  private final RawClient raw;
  private final MemorySegment out;

  /**
   * @param token of an observer; 0 for none
   */
  ManagerClient(Host host, long token) throws IOException {
    raw = new RawClient(host);
    long result = raw.call(MANAGER, ShimChannel.PROTOCOL_VERSION, token, 0);
    if (result != 0) {
      throw new IOException("the device process answered " + result);
    }
    out = raw.memory(512);
  }

  /** Room of this client for output, which commands name by its address. */
  MemorySegment out() {
    return out;
  }

  /** A command with its input; its result. */
  long command(int number, byte[] input, int room) throws IOException {
    return write(
        Fields.of(HEADER_BYTES + input.length)
            .u32(0, number)
            .u16(4, input.length)
            .u16(6, room)
            .bytes(HEADER_BYTES, input)
            .bytes());
  }

  /** A write of any bytes. */
  long write(byte[] all) throws IOException {
    MemorySegment memory = raw.memory(Math.max(1, all.length));
    MemorySegment.copy(all, 0, memory, ValueLayout.JAVA_BYTE, 0, all.length);
    return raw.call(RawClient.WRITE, 0, memory.address(), all.length);
  }

  /** An ioctl of any number. */
  long ioctl(long number) throws IOException {
    return raw.call(RawClient.IOCTL, number, 0, 0);
  }

  /** Creates an id; its number, or minus errno. */
  long create(int space) throws IOException {
    byte[] input = Fields.of(24).u64(0, 42).u64(8, out.address()).u16(16, space).bytes();
    long result = command(CREATE_ID, input, 4);
    return result < 0 ? result : out.get(ValueLayout.JAVA_INT, 0);
  }

  /** Destroys an id; the events that were read, or minus errno. */
  long destroy(long id) throws IOException {
    byte[] input = Fields.of(16).u64(0, out.address()).u32(8, (int) id).bytes();
    long result = command(DESTROY_ID, input, 4);
    return result < 0 ? result : out.get(ValueLayout.JAVA_INT, 0);
  }

  /** Binds an id to a port of 127.0.0.1, or of all addresses; minus errno when it can't. */
  long bind(long id, boolean any, int port) throws IOException {
    byte[] input =
        Fields.of(40)
            .u16(8, AF_INET)
            .u8(10, port >>> 8)
            .u8(11, port & 0xff)
            .u8(12, any ? 0 : 127)
            .u8(15, any ? 0 : 1)
            .u32(36, (int) id)
            .bytes();
    return command(BIND_IP, input, 0);
  }

  @Override
  public void close() {
    raw.close();
  }
}
