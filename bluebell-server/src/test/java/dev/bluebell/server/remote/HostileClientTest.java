package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaResidents;
import dev.bluebell.hca.command.CommandFormat;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicIn;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.SharedMemory;
import dev.bluebell.server.remote.Message.Reply;
import dev.bluebell.server.remote.Message.Request;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MasterQueuePair;
import dev.bluebell.verbs.ProtectionDomain;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The device continues and other clients are unaffected, whatever a client sends. */
class HostileClientTest extends Hosted {
  private static final int UNKNOWN_EVENT = 0x77;

  private Peer left;
  private Peer right;

  @BeforeEach
  void open() throws IOException {
    left = new Peer(host.name(), Peer.Payload.SHARED);
    right = new Peer(host.name(), Peer.Payload.FOREIGN);
    Peer.connect(left, right);
  }

  @AfterEach
  void theOthersNoticeNothing() throws IOException, InterruptedException {
    left.exchange(right, 9);
    // Random requests may hand over their sender's objects.
    HcaResidents residents = left.device().residents().orElseThrow();
    residents.list().forEach(each -> residents.forceRemove(each.name()));
    left.close();
    right.close();
    host.expectNothingLeft();
  }

  /** A connection that sends arbitrary messages. */
  private final class Attacker implements AutoCloseable {
    private final LocalSocket socket;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment out = arena.allocate(Message.MAX_BYTES);
    private final MemorySegment in = arena.allocate(Message.MAX_BYTES);

    Attacker() throws IOException {
      socket = LocalSocket.connect(host.socket());
    }

    Attacker greeted() throws IOException {
      assertThat(ask(Message.hello())).isEqualTo(Reply.DONE);
      return this;
    }

    void send(byte[] bytes) throws IOException {
      socket.send(arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes));
    }

    /** The answer to a request; null when the server hung up. */
    Message answer() throws IOException {
      while (true) {
        LocalSocket.Received received = socket.receive(in);
        assertThat(received.bytes()).as("bytes of an answer").isPositive();
        Message message = Message.received(in, received.bytes());
        if (received.descriptor() >= 0) {
          MemorySegment unused = map(received.descriptor());
          assertThat(unused.byteSize()).isEqualTo(4096);
        }
        return message;
      }
    }

    // Maps the memory and closes the descriptor.
    private static MemorySegment map(int descriptor) throws IOException {
      return SharedMemory.map(descriptor, 0, 4096, () -> {});
    }

    Reply ask(Message request) throws IOException {
      request.send(socket, out, -1);
      return answer().takeKind(Reply.class);
    }

    /** The first number of an answer. */
    int number(Message request) throws IOException {
      request.send(socket, out, -1);
      Message answer = answer();
      assertThat(answer.takeKind(Reply.class)).isEqualTo(Reply.DONE);
      return answer.takeInt();
    }

    boolean isHungUp() {
      try {
        return socket.receive(in).bytes() == 0;
      } catch (IOException e) {
        return true;
      }
    }

    @Override
    public void close() {
      socket.close();
      arena.close();
    }
  }

  @Test
  void aClientThatSendsGarbageInsteadOfAHelloIsDisconnected() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 50; i++) {
      byte[] noise = new byte[1 + random.nextInt(100)];
      random.nextBytes(noise);
      try (Attacker attacker = new Attacker()) {
        attacker.send(noise);
        assertThat(attacker.isHungUp()).as("seed %d, message %d", seed, i).isTrue();
      }
    }
  }

  @Test
  void aHelloOfAnotherVersionIsRefusedWithTheReason() throws IOException {
    try (Attacker attacker = new Attacker()) {
      byte[] hello = ByteBuffer.allocate(12).putLong(Message.HELLO).putInt(99).array();
      attacker.send(hello);
      Message answer = attacker.answer();
      assertThat(answer.takeKind(Reply.class)).isEqualTo(Reply.ILLEGAL);
      assertThat(answer.takeString()).contains("version 99");
      assertThat(attacker.isHungUp()).isTrue();
    }
  }

  @Test
  void aClientThatSendsATruncatedHelloIsDisconnected() throws IOException {
    try (Attacker attacker = new Attacker()) {
      attacker.send(ByteBuffer.allocate(10).putLong(Message.HELLO).array());
      assertThat(attacker.isHungUp()).isTrue();
    }
  }

  @Test
  void aPidThatAClientClaimsIsIgnored() throws IOException {
    try (Attacker attacker = new Attacker()) {
      // After the hello: the pid of init, whose memory this client may not access.
      byte[] hello =
          ByteBuffer.allocate(16).putLong(Message.HELLO).putInt(Message.VERSION).putInt(1).array();
      attacker.send(hello);
      assertThat(attacker.answer().takeKind(Reply.class)).isEqualTo(Reply.DONE);
      int domain = attacker.number(Message.of(Request.ALLOCATE_DOMAIN));
      MemorySegment own = attacker.arena.allocate(64);
      Message register =
          Message.of(Request.REGISTER_FOREIGN)
              .put(own.address())
              .put(64L)
              .put(domain)
              .put(0L)
              .put(1);
      assertThat(attacker.ask(register)).isEqualTo(Reply.DONE);
    }
  }

  @Test
  void aClientThatSendsATruncatedRequestIsDisconnected() throws IOException {
    for (Request request : Request.values()) {
      if (request == Request.ALLOCATE_DOMAIN
          || request == Request.ALLOCATE_UAR
          || request.compareTo(Request.EXPLAIN) > 0 && request != Request.TRACE
          || request == Request.CLOCK) {
        continue;
      }
      try (Attacker attacker = new Attacker().greeted()) {
        Message.of(request).send(attacker.socket, attacker.out, -1);
        assertThat(attacker.isHungUp()).as("hung up after %s", request).isTrue();
      }
    }
  }

  @Test
  void aClientThatSendsAnUnknownRequestIsDisconnected() throws IOException {
    try (Attacker attacker = new Attacker().greeted()) {
      attacker.send(new byte[] {0, 0, 7, 7});
      assertThat(attacker.isHungUp()).isTrue();
    }
  }

  @Test
  void aClientWaitsForNoCompletionQueueOfAnother() {
    try (Device device = Device.open(host.name());
        ProtectionDomain domain = device.allocateProtectionDomain();
        CompletionQueue completions = device.createCompletionQueue(4);
        MasterQueuePair own = domain.rcQueuePair(completions).crossChannel().create()) {
      own.connect(own.endpoint(), ConnectOptions.DEFAULT);
      own.waitFor(completions, 0xffffff).signaled(1);
      own.waitFor(left.completions(), 0xffffff).signaled(2);
      own.ringDoorbell();
      assertThat(Peer.await(completions)).isEqualTo(CompletionStatus.SUCCESS);
      assertThat(Peer.await(completions)).isEqualTo(CompletionStatus.LOCAL_QP_OPERATION_ERROR);
    }
  }

  @Test
  void wildAddressesAreRefused() throws IOException {
    try (Attacker attacker = new Attacker().greeted()) {
      int domain = attacker.number(Message.of(Request.ALLOCATE_DOMAIN));
      int memory = attacker.number(Message.of(Request.ALLOCATE_MEMORY).put(4096L));
      long[] wild = {0, 1, -1, -4096, 4096, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 47};
      for (long address : wild) {
        for (long bytes : new long[] {-1, 4097, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE}) {
          assertThat(
                  attacker.ask(
                      Message.of(Request.REGISTER_FOREIGN)
                          .put(address)
                          .put(bytes)
                          .put(domain)
                          .put(0L)
                          .put(15)))
              .as("foreign 0x%x, %d bytes", address, bytes)
              .isEqualTo(Reply.REFUSED);
          assertThat(
                  attacker.ask(
                      Message.of(Request.REGISTER_UMEM).put(memory).put(address).put(bytes)))
              .as("umem at %d, %d bytes", address, bytes)
              .isEqualTo(Reply.ILLEGAL);
        }
      }
    }
  }

  @Test
  void memoryOfAnImpossibleSizeIsRefused() throws IOException {
    try (Attacker attacker = new Attacker().greeted()) {
      for (long bytes : new long[] {0, -1, -4096, 1, 4097, 1L << 40, Long.MAX_VALUE}) {
        assertThat(attacker.ask(Message.of(Request.ALLOCATE_MEMORY).put(bytes)))
            .as("%d bytes", bytes)
            .isEqualTo(Reply.REFUSED);
      }
    }
  }

  @Test
  void memoryThatWasGivenBackStaysWhileTheDeviceUsesIt() throws IOException {
    try (Attacker attacker = new Attacker().greeted()) {
      int memory = attacker.number(Message.of(Request.ALLOCATE_MEMORY).put(4096L));
      int umem = attacker.number(Message.of(Request.REGISTER_UMEM).put(memory).put(0L).put(4096L));
      assertThat(attacker.ask(Message.of(Request.FREE_MEMORY).put(memory))).isEqualTo(Reply.DONE);
      assertThat(attacker.ask(Message.of(Request.DESTROY).put(umem))).isEqualTo(Reply.DONE);
      assertThat(attacker.ask(Message.of(Request.FREE_MEMORY).put(memory)))
          .isEqualTo(Reply.ILLEGAL);
    }
  }

  @Test
  void objectsOfOthersCanNotBeNamed() throws IOException {
    try (Attacker attacker = new Attacker().greeted()) {
      View key = View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY);
      key.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY).set(Mkc.PD, 1);
      assertRefused(attacker, key, "pd 0x1 does not name an object that this process holds");
      View inDevice = View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY);
      inDevice
          .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
          .set(Mkc.ACCESS_MODE_4_2, 1)
          .set(Mkc.ACCESS_MODE_1_0, 1)
          .set(Mkc.START_ADDR, 0x800000);
      assertRefused(attacker, inDevice, "start_addr 0x800000 does not name an object");
      View memory = View.command(AllocMemicIn.STRUCTURE, CommandOpcode.ALLOC_MEMIC);
      assertRefused(attacker, memory, "opcode 0x205 creates no object that a client may have");
      View queue = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
      queue.at(CreateQpIn.QPC).set(Qpc.CQN_SND, left.completions().number());
      assertRefused(attacker, queue, "cqn_snd");
      View completions = View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ);
      completions.set(CreateCqIn.CQ_UMEM_ID, 1).set(CreateCqIn.CQ_UMEM_VALID, true);
      assertRefused(attacker, completions, "cq_umem_id 0x1");
    }
  }

  @Test
  void aClientSubscribesToNoEventThatItsObjectCanNotRaise() throws IOException {
    try (Attacker attacker = new Attacker().greeted()) {
      // The device knows the source of an event by its type and number.
      int domain = domainWithNumber(attacker, left.completions().number());
      for (int type : new int[] {HcaEvent.COMPLETION, HcaEvent.SRQ_LIMIT, UNKNOWN_EVENT}) {
        assertRefused(
            attacker,
            Message.of(Request.SUBSCRIBE).put(1).put(domain).put(type).put(5L),
            "PD 0x%x raises no event of type %s"
                .formatted(left.completions().number(), HcaEvent.typeName(type)));
      }
    }
  }

  /** Allocates domains, which get consecutive numbers, until one has the number; its handle. */
  private static int domainWithNumber(Attacker attacker, int number) throws IOException {
    while (true) {
      Message.of(Request.ALLOCATE_DOMAIN).send(attacker.socket, attacker.out, -1);
      Message answer = attacker.answer();
      assertThat(answer.takeKind(Reply.class)).isEqualTo(Reply.DONE);
      int handle = answer.takeInt();
      if (answer.takeInt() == number) {
        return handle;
      }
      assertThat(attacker.ask(Message.of(Request.DESTROY).put(handle))).isEqualTo(Reply.DONE);
    }
  }

  @Test
  void deviceMemoryLiesInAWindowOfTheClientAlone() throws IOException {
    try (Attacker attacker = new Attacker().greeted()) {
      byte[] command =
          View.command(AllocMemicIn.STRUCTURE, CommandOpcode.ALLOC_MEMIC)
              .set(AllocMemicIn.MEMIC_SIZE, 64)
              .bytes();
      // Unknown memory number, unshared memory, and less than the BAR.
      assertThat(attacker.ask(window(1, 0, 4096, command))).isEqualTo(Reply.ILLEGAL);
      assertThat(attacker.ask(Message.of(Request.ALLOCATE_MEMORY).put(4096L)))
          .isEqualTo(Reply.DONE);
      assertThat(attacker.ask(window(1, 0, 4096, command))).isEqualTo(Reply.ILLEGAL);
      assertThat(attacker.ask(window(1, -4096, 1 << 18, command))).isEqualTo(Reply.ILLEGAL);
      assertThat(attacker.ask(window(1, 0, Long.MAX_VALUE, command))).isEqualTo(Reply.ILLEGAL);
      assertThat(attacker.ask(Message.of(Request.FREE_MEMORY).put(1))).isEqualTo(Reply.DONE);
    }
  }

  private static Message window(int number, long offset, long bytes, byte[] command) {
    return Message.of(Request.ALLOCATE_DEVICE_MEMORY)
        .put(number)
        .put(offset)
        .put(bytes)
        .put(command);
  }

  private static void assertRefused(Attacker attacker, View command, String why)
      throws IOException {
    assertRefused(attacker, Message.of(Request.CREATE).put(command.bytes()), why);
  }

  private static void assertRefused(Attacker attacker, Message request, String why)
      throws IOException {
    request.send(attacker.socket, attacker.out, -1);
    Message answer = attacker.answer();
    assertThat(answer.takeKind(Reply.class)).isEqualTo(Reply.REFUSED);
    assertThat(answer.takeBytes()).isNotEmpty();
    assertThat(answer.takeString()).contains(why);
  }

  @Test
  void aHandOverWithAnInvalidNameIsRefused() throws IOException {
    try (Attacker attacker = new Attacker().greeted()) {
      assertThat(attacker.ask(Message.of(Request.ALLOCATE_DOMAIN))).isEqualTo(Reply.DONE);
      for (String name : new String[] {"", "a/b", "\0", "ä", "x".repeat(60_000)}) {
        assertThat(attacker.ask(Message.of(Request.HAND_OVER).put(name).put("")))
            .isEqualTo(Reply.REFUSED);
        assertThat(attacker.ask(Message.of(Request.REMOVE_RESIDENT).put(name).put(0L).put(1)))
            .isEqualTo(Reply.REFUSED);
      }
      Message.of(Request.HAND_OVER).send(attacker.socket, attacker.out, -1);
      assertThat(attacker.isHungUp()).isTrue();
    }
  }

  @Test
  @Tag("slow")
  void randomRequestsGetErrorsOrHarmlessAnswers() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 3000; ) {
      try (Attacker attacker = new Attacker().greeted()) {
        Request[] kinds = Request.values();
        boolean open = true;
        for (; open && i < 3000; i++) {
          Message request = Message.of(kinds[random.nextInt(kinds.length)]);
          fill(request, random);
          request.send(attacker.socket, attacker.out, -1);
          open = survives(attacker, "request %d with seed %d".formatted(i, seed));
        }
      }
    }
  }

  private static void fill(Message request, Random random) {
    for (int words = random.nextInt(8); words > 0; words--) {
      switch (random.nextInt(4)) {
        case 0 -> request.put(random.nextInt(8));
        case 1 -> request.put(random.nextLong());
        case 2 -> request.put(random.nextLong(4) * 4096);
        default -> request.put(command(random));
      }
    }
  }

  private static byte[] command(Random random) {
    int[] opcodes = {
      CommandOpcode.CREATE_CQ,
      CommandOpcode.CREATE_QP,
      CommandOpcode.CREATE_MKEY,
      CommandOpcode.CREATE_RMP,
      CommandOpcode.ALLOC_PD,
      CommandOpcode.RST2INIT_QP,
      CommandOpcode.DESTROY_QP,
      random.nextInt(1 << 16)
    };
    int opcode = opcodes[random.nextInt(opcodes.length)];
    int bytes = CommandFormat.of(opcode).map(format -> format.input().bytes()).orElse(16);
    byte[] command = new byte[bytes];
    for (int flips = random.nextInt(20); flips > 0; flips--) {
      command[random.nextInt(bytes)] = (byte) random.nextInt();
    }
    return View.over(command).set(CmdIn.OPCODE, opcode).bytes();
  }

  private static boolean survives(Attacker attacker, String what) throws IOException {
    Reply reply;
    do {
      LocalSocket.Received received = attacker.socket.receive(attacker.in);
      if (received.bytes() == 0) {
        return false;
      }
      if (received.descriptor() >= 0) {
        MemorySegment mapped = Attacker.map(received.descriptor());
        assertThat(mapped.byteSize()).isEqualTo(4096);
      }
      Message answer = Message.received(attacker.in, received.bytes());
      reply = answer.takeKind(Reply.class);
      if (reply == Reply.REFUSED) {
        assertThat(answer.takeBytes()).as(what).isNotEmpty();
        assertThat(answer.takeString()).as(what).doesNotContain("the device process failed");
      }
    } while (reply == Reply.PART || reply == Reply.EVENT);
    return true;
  }
}
