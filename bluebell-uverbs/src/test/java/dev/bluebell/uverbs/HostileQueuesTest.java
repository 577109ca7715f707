package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.uverbs.Errno;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;

/**
 * Two concurrent clients create, change and destroy queues and domains of all kinds with valid,
 * nearly valid and invalid values: each call is answered, no answer is a defect of the device
 * process, and nothing is left.
 */
class HostileQueuesTest extends Hosted {
  private static final int CALLS = 1200;
  private static final int AREA_BYTES = 64 << 20;
  private static final int TYPE_DRIVER = 0xff;
  private static final int O_CREAT = 0100;

  private static final int DEALLOC_PD = 4;
  private static final int CREATE_CQ = 18;
  private static final int DESTROY_CQ = 20;
  private static final int CREATE_QP = 24;
  private static final int QUERY_QP = 25;
  private static final int MODIFY_QP = 26;
  private static final int DESTROY_QP = 27;
  private static final int CREATE_SRQ = 32;
  private static final int MODIFY_SRQ = 33;
  private static final int QUERY_SRQ = 34;
  private static final int DESTROY_SRQ = 35;
  private static final int OPEN_XRCD = 37;
  private static final int CLOSE_XRCD = 38;
  private static final int CREATE_XSRQ = 39;
  private static final int OPEN_QP = 40;

  // Attribute masks of the transitions of connections, of datagrams and of DC.
  private static final int[] MASKS = {
    0x39,
    0x1 | 0x10 | 0x20 | 0x40,
    0x31,
    0x39,
    0x1 | 1 << 7 | 1 << 8 | 1 << 15,
    0x1 | 1 << 8,
    0x1 | 1 << 7 | 1 << 8 | 1 << 12 | 1 << 20 | 1 << 15 | 1 << 17,
    0x1,
    0x1,
    0x1 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 13 | 1 << 16,
    0x1 | 1 << 16,
    1 << 15,
    1 << 3
  };

  /** A client driven by random numbers. */
  private static final class Attacker {
    private final RawClient client;
    private final Random random;
    private final long area;
    private final int uar;
    private final int fd;
    private final MemorySegment out;
    private int objects;

    Attacker(DevxClient context, long seed, int fd) throws IOException {
      client = context.raw();
      random = new Random(seed);
      this.fd = fd;
      area = client.memory(AREA_BYTES).address();
      uar = context.uar().number();
      out = client.memory(4096);
    }

    private int one(int... values) {
      return values[random.nextInt(values.length)];
    }

    private int handle() {
      return random.nextInt(30) == 0 ? random.nextInt() : random.nextInt(40);
    }

    /** A queue size, mostly valid. */
    private int count() {
      return one(0, 1, 4, 4, 8, 16, 16, 64, 3, 0x7fff, 0x8000, 0x8001, -1, 1 << 31);
    }

    /** An address; its memory ends within the area, or is not mapped. */
    private long address() {
      return random.nextInt(12) == 0
          ? one(0, 0x10, -4096, Integer.MIN_VALUE)
          : area + 64L * random.nextInt(1024);
    }

    private long call(int command, Fields input, int outBytes) throws IOException {
      // Sometimes flips bits after the addresses.
      if (random.nextInt(3) == 0 && input.size() > 24) {
        int at = 16 + random.nextInt(Math.min(input.size(), 56) - 16);
        input.bytes()[at] ^= (byte) (1 << random.nextInt(8));
      }
      return client.write(command, input.bytes(), out.asSlice(0, outBytes));
    }

    private Fields driver(Fields input, int at) {
      return input.u64(at, address()).u64(at + 8, address());
    }

    private long createQp() throws IOException {
      int type = one(2, 2, 3, 4, 9, 9, 10, 10, TYPE_DRIVER, TYPE_DRIVER, 8);
      Fields input =
          Fields.of(56 + 56)
              .u32(16, handle())
              .u32(20, handle())
              .u32(24, handle())
              .u32(28, handle())
              .u32(32, one(0, 4, 16))
              .u32(36, type == TYPE_DRIVER ? 0 : one(0, 4, 16))
              .u8(52, random.nextInt(2))
              .u8(53, type)
              .u8(54, random.nextInt(2));
      // No flips: the sizes of queues are between the addresses.
      driver(input, 56)
          .u32(72, count())
          .u32(76, count())
          .u32(80, one(4, 4, 5, 6, 9, 3, 10, 40))
          .u32(84, 1 << 10 | one(0, 0, 1, 2, 3, 0x10, 0x20, 0x820, 0x30, 8, -1))
          .u32(88, random.nextInt())
          .u32(92, random.nextInt(8) == 0 ? random.nextInt() : uar)
          .u8(108, random.nextInt(40))
          .u8(109, random.nextInt(40));
      return client.write(CREATE_QP, input.bytes(), out.asSlice(0, 64));
    }

    private long createXsrq() throws IOException {
      Fields input =
          Fields.of(48 + 32)
              .u32(16, one(0, 1, 1, 2, 2, 3))
              .u32(20, handle())
              .u32(24, count())
              .u32(28, one(0, 1, 2, 31, 32, -1))
              .u32(32, one(0, 0, 1, 4, -1))
              .u32(36, one(0, 1, 8, 1023, 1024, -1))
              .u32(40, handle())
              .u32(44, handle());
      return client.write(
          CREATE_XSRQ, driver(input, 48).u32(72, random.nextInt()).bytes(), out.asSlice(0, 32));
    }

    private long modifyQp(boolean extended) throws IOException {
      Fields input = Fields.of(120);
      byte[] noise = new byte[120];
      random.nextBytes(noise);
      if (random.nextBoolean()) {
        input.bytes(0, noise);
      }
      input
          .u32(64, handle())
          .u32(68, random.nextInt(5) == 0 ? random.nextInt() : one(MASKS))
          .u8(96, one(0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 200))
          .u8(30, 1);
      if (random.nextInt(4) > 0) {
        input.u8(24, 0).u8(98, 3).u8(101, 1).u8(102, 1).u8(104, 1).u16(92, 0).u32(72, 5);
      }
      if (!extended) {
        byte[] plain = Arrays.copyOf(input.bytes(), 112);
        return client.write(MODIFY_QP, plain, out.asSlice(0, 0));
      }
      int driverWords = random.nextInt(4);
      Fields all =
          Fields.of(24 + 120 + 8 * driverWords)
              .u32(0, MODIFY_QP | WriteCommand.EXTENDED)
              .u16(4, 15)
              .u16(6, 1)
              .u64(8, out.address())
              .u16(16, driverWords)
              .u16(18, random.nextInt(3))
              .bytes(24, input.bytes());
      if (driverWords > 0) {
        all.u32(144, one(0, 1, 1, 2, -1));
      }
      MemorySegment memory = client.memory(all.size());
      memory.copyFrom(MemorySegment.ofArray(all.bytes()));
      return client.call(RawClient.WRITE, 0, memory.address(), all.size());
    }

    private long any() throws IOException {
      return switch (random.nextInt(22)) {
        case 0 -> client.write(RawClient.ALLOC_PD, new byte[8], out.asSlice(0, 8));
        case 1 ->
            client.write(
                CREATE_CQ,
                driver(Fields.of(64).u32(16, one(0, 1, 63, 64, -1)).u32(24, -1), 32)
                    .u32(48, one(64, 64, 128, 0, 65))
                    .u16(54, 2)
                    .u16(56, uar)
                    .bytes(),
                out.asSlice(0, 16));
        case 2 ->
            client.write(
                CREATE_SRQ,
                driver(Fields.of(64).u32(16, handle()).u32(20, count()).u32(24, 1), 32).bytes(),
                out.asSlice(0, 24));
        case 3, 4 -> createXsrq();
        case 5 ->
            client.write(
                OPEN_XRCD,
                Fields.of(16).u32(8, one(-1, fd, fd, 60000)).u32(12, one(0, O_CREAT, 0300)).bytes(),
                out.asSlice(0, 4));
        case 6, 7, 8, 9 -> createQp();
        case 10 ->
            call(
                OPEN_QP,
                Fields.of(32).u32(16, handle()).u32(20, 0x40 + random.nextInt(16)).u8(24, 10),
                64);
        case 11, 12, 13 -> modifyQp(false);
        case 14, 15 -> modifyQp(true);
        case 16 -> call(QUERY_QP, Fields.of(16).u32(8, handle()).u32(12, random.nextInt()), 128);
        case 17 -> call(QUERY_SRQ, Fields.of(16).u32(8, handle()), 16);
        case 18 ->
            client.write(
                MODIFY_SRQ,
                Fields.of(16).u32(0, handle()).u32(4, one(1, 2, 2, 3)).u32(12, count()).bytes(),
                out.asSlice(0, 0));
        case 19 ->
            client.write(
                one(DEALLOC_PD, CLOSE_XRCD),
                Fields.of(4).u32(0, handle()).bytes(),
                out.asSlice(0, 0));
        default ->
            call(
                one(DESTROY_CQ, DESTROY_QP, DESTROY_SRQ, DESTROY_QP),
                Fields.of(16).u32(8, handle()),
                8);
      };
    }

    void run() throws IOException {
      for (int i = 0; i < CALLS; i++) {
        long result = any();
        objects += result > 0 ? 1 : 0;
        assertThat(result).as("call %d", i).isGreaterThan(-200).isNotEqualTo(-Errno.EIO);
      }
    }
  }

  @RepeatedTest(3)
  void everyCallHasAnAnswerAndNothingStays() throws Exception {
    long seed = System.nanoTime();
    Path path = folder.resolve("domain");
    List<DevxClient> clients = List.of(DevxClient.open(host), DevxClient.open(host));
    try (ExecutorService threads = Executors.newFixedThreadPool(2);
        FileChannel file =
            FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      int fd = XrcdTest.descriptors(path).getFirst();
      List<Attacker> attackers = new ArrayList<>();
      for (DevxClient client : clients) {
        attackers.add(new Attacker(client, seed + attackers.size(), fd));
      }
      List<Callable<Void>> runs =
          attackers.stream()
              .<Callable<Void>>map(
                  attacker ->
                      () -> {
                        attacker.run();
                        return null;
                      })
              .toList();
      for (Future<Void> run : threads.invokeAll(runs)) {
        assertThat(run).as("with seed %d", seed).succeedsWithin(Duration.ZERO);
      }
      assertThat(attackers).allMatch(attacker -> attacker.objects > CALLS / 20);
      assertThat(file.isOpen()).isTrue();
    } finally {
      clients.forEach(DevxClient::close);
    }
    host.expectNothingLeft();
  }
}
