package dev.bluebell.verbs;

import dev.bluebell.hca.DeviceLostException;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.QueuedEventChannel;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.QpCommands.QueryQpOut;
import dev.bluebell.hca.command.VportCommands.QueryRoceAddressOut;
import dev.bluebell.hca.command.VportCommands.RoceAddrLayout;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A device that executes nothing: it records the driver's calls, assigns numbers, and returns the
 * answers that a test prepared.
 */
final class FakeHca implements Hca {
  static final Gid GID = Gid.ofIpv4(0x0a000001);
  static final HcaPath PATH = new HcaPath(0x0123_4567_89abL, 0, 64, 0xc123);

  /** The path from an entry of RoCE v1. */
  static final HcaPath PATH_OF_V1 = new HcaPath(0x0123_4567_89abL, 0, 64, 0);

  /** All calls in order, objects and commands by name. */
  final List<String> log = new ArrayList<>();

  /** Commands by opcode, in order. */
  final Map<Integer, List<byte[]>> commands = new HashMap<>();

  final List<FakeChannel> channels = new ArrayList<>();
  final Map<Integer, MemorySegment> umems = new HashMap<>();
  final List<MemorySegment> uarPages = new ArrayList<>();

  /** Those of them that take copies of requests. */
  final List<MemorySegment> blueFlamePages = new ArrayList<>();

  final List<Integer> registrations = new ArrayList<>();
  final List<String> dmaBufs = new ArrayList<>();

  /** Names of the objects whose destruction the device refuses as busy. */
  final List<String> busy = new ArrayList<>();

  /** Names of the objects after whose creation the JVM has no memory left. */
  final List<String> last = new ArrayList<>();

  /** Opcodes of commands that the device refuses. */
  final List<Integer> refused = new ArrayList<>();

  /** Channels for which the device refuses subscriptions. */
  Predicate<FakeChannel> refusedChannels = channel -> false;

  /** Whether it explains nothing any more, because it is lost. */
  boolean isLost;

  /** Whether it looks like a card. */
  boolean isCard;

  /** All its ports. */
  HcaPort port =
      new HcaPort(
          1, LinkLayer.ETHERNET, true, 1024, 4096, 4, 1, 0x0200_0000_0001L, 0, 0, 0, 0, false);

  /** All entries of its GID table but those in {@link #gids}. */
  Gid gid = GID;

  final Map<Integer, Gid> gids = new HashMap<>();

  /** The path to every peer. */
  HcaPath path = PATH;

  View caps = defaultCaps();
  View atomicCaps = View.over(new byte[4096]);
  View roceCaps = View.over(new byte[4096]);
  byte[] queryQp = new byte[QueryQpOut.STRUCTURE.bytes()];

  /** Its counters that are not 0. */
  final Map<PortCounter, Long> counters = new EnumMap<>(PortCounter.class);

  /** The device's explanation of every failed completion; null for none. */
  String explanation;

  Runnable onProgress = () -> {};

  /** Called before an object is created. */
  Runnable onCreate = () -> {};

  /** Called when the device is closed. */
  Runnable onClose = () -> {};

  /** Executes a command that changes an object and was not refused. */
  Consumer<View> onModify = command -> {};

  int progressCalls;
  private int nextNumber = 0x100;

  /** A device with an InfiniBand port, which has the LIDs 0x20 … 0x23. */
  static FakeHca ofInfiniBand() {
    FakeHca hca = new FakeHca();
    hca.port =
        new HcaPort(1, LinkLayer.INFINIBAND, true, 1024, 4096, 4, 128, 0, 0x20, 2, 1, 0, false);
    hca.gid = new Gid(0xfe80_0000_0000_0000L, 0x11);
    return hca;
  }

  static View defaultCaps() {
    return View.over(new byte[4096])
        .set(CmdHcaCap.CQE_VERSION, 1)
        .set(CmdHcaCap.NUM_PORTS, 1)
        .set(CmdHcaCap.LOG_MAX_QP, 10)
        .set(CmdHcaCap.LOG_MAX_QP_SZ, 15)
        .set(CmdHcaCap.LOG_MAX_SRQ_SZ, 15)
        .set(CmdHcaCap.MAX_WQE_SZ_SQ, 1024)
        .set(CmdHcaCap.MAX_WQE_SZ_RQ, 512)
        .set(CmdHcaCap.LOG_MAX_CQ, 10)
        .set(CmdHcaCap.LOG_MAX_CQ_SZ, 16)
        .set(CmdHcaCap.LOG_MAX_MKEY, 20)
        .set(CmdHcaCap.LOG_MAX_PD, 10)
        .set(CmdHcaCap.LOG_MAX_MSG, 30)
        .set(CmdHcaCap.LOG_MAX_RA_REQ_QP, 4)
        .set(CmdHcaCap.LOG_MAX_RA_RES_QP, 4)
        .set(CmdHcaCap.LOG_MAX_RA_REQ_DC, 4)
        .set(CmdHcaCap.DEVICE_FREQUENCY_KHZ, 1_000_000)
        .set(CmdHcaCap.BF, 1);
  }

  /** The only command with an opcode that the driver sent, as a structure. */
  View command(int opcode) {
    List<byte[]> all = commands.getOrDefault(opcode, List.of());
    if (all.size() != 1) {
      throw new AssertionError("%d commands with opcode 0x%x".formatted(all.size(), opcode));
    }
    return View.over(all.getFirst());
  }

  /** The last command with an opcode. */
  View lastCommand(int opcode) {
    return View.over(commands.get(opcode).getLast());
  }

  private byte[] accept(byte[] command, Structure answer) {
    int opcode = View.over(command).getInt(CmdIn.OPCODE);
    commands.computeIfAbsent(opcode, key -> new ArrayList<>()).add(command.clone());
    if (refused.contains(opcode)) {
      throw failure("command 0x%x".formatted(opcode), CommandStatus.BAD_PARAM);
    }
    return View.of(answer).bytes();
  }

  static HcaException failure(String what, int status) {
    return new HcaException(
        what,
        View.of(CmdOut.STRUCTURE).set(CmdOut.STATUS, status).bytes(),
        "because the test says so");
  }

  @Override
  public Map<PortCounter, Long> counters() {
    return Map.copyOf(counters);
  }

  @Override
  public boolean isSoftware() {
    return !isCard;
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public HcaObject create(byte[] command) {
    onCreate.run();
    byte[] output = accept(command, CmdOut.STRUCTURE);
    int opcode = View.over(command).getInt(CmdIn.OPCODE);
    return new FakeObject(opcode == CommandOpcode.CREATE_CQ ? "CQ" : "QP", output);
  }

  @Override
  public byte[] execute(byte[] command) {
    accept(command, CmdOut.STRUCTURE);
    if (View.over(command).getInt(CmdIn.OPCODE) == CommandOpcode.QUERY_ROCE_ADDRESS) {
      View address = View.of(QueryRoceAddressOut.STRUCTURE);
      address.at(QueryRoceAddressOut.ROCE_ADDRESS).set(RoceAddrLayout.ROCE_VERSION, 2);
      return address.bytes();
    }
    View out = View.of(QueryHcaCapOut.STRUCTURE);
    View asked =
        switch (CapabilityType.of(View.over(command).getInt(CmdIn.OP_MOD))) {
          case CapabilityType.ATOMIC -> atomicCaps;
          case CapabilityType.ROCE -> roceCaps;
          default -> caps;
        };
    out.setBytes(QueryHcaCapOut.CAPABILITY, asked.bytes());
    return out.bytes();
  }

  @Override
  public HcaObject allocateProtectionDomain() {
    return new FakeObject("PD", new byte[0]);
  }

  @Override
  public HcaUar allocateUar() {
    log.add("allocate UAR");
    MemorySegment page = Arena.ofAuto().allocate(4096, 4096);
    uarPages.add(page);
    int number = nextNumber++;
    return new HcaUar() {
      @Override
      public int number() {
        return number;
      }

      @Override
      public long address() {
        return page.address();
      }

      @Override
      public void close() {
        log.add("close UAR");
      }
    };
  }

  @Override
  public HcaUar allocateBlueFlameUar() {
    HcaUar page = allocateUar();
    blueFlamePages.add(uarPages.getLast());
    return page;
  }

  @Override
  public HcaUmem registerUmem(MemorySegment memory) {
    int number = nextNumber++;
    umems.put(number, memory);
    return new HcaUmem() {
      @Override
      public int number() {
        return number;
      }

      @Override
      public void close() {
        umems.remove(number);
      }
    };
  }

  @Override
  public HcaMemory registerMemory(
      HcaObject domain, MemorySegment memory, long address, int access) {
    registrations.add(access);
    return newKey();
  }

  @Override
  public HcaMemory registerDmaBuf(
      HcaObject domain, int descriptor, long offset, long bytes, int access) {
    dmaBufs.add("%d: %d bytes from %d, access %d".formatted(descriptor, bytes, offset, access));
    return newKey();
  }

  private HcaMemory newKey() {
    int key = nextNumber++ << 8 | 1;
    return new HcaMemory() {
      @Override
      public int lkey() {
        return key;
      }

      @Override
      public int rkey() {
        return key;
      }

      @Override
      public void close() {
        log.add("close memory");
      }
    };
  }

  @Override
  public int eventQueueNumber(int vector) {
    return 7 + vector;
  }

  @Override
  public int completionVectors() {
    return 2;
  }

  @Override
  public HcaPath resolve(int port, int gidIndex, Gid destination) {
    log.add("resolve port %d gid %d %s".formatted(port, gidIndex, destination));
    return path;
  }

  @Override
  public HcaEventChannel openEventChannel() {
    FakeChannel channel = new FakeChannel();
    channels.add(channel);
    return channel;
  }

  @Override
  public HcaPort queryPort(int port) {
    return this.port;
  }

  @Override
  public Gid queryGid(int port, int index) {
    return gids.getOrDefault(index, gid);
  }

  @Override
  public long clock() {
    return 42;
  }

  @Override
  public int progress() {
    progressCalls++;
    onProgress.run();
    return 0;
  }

  @Override
  public Optional<HcaDiagnosis> diagnosis() {
    return Optional.of(new FakeDiagnosis());
  }

  @Override
  public void close() {
    onClose.run();
    log.add("close device");
  }

  /** An object that only has a number. */
  private final class FakeObject implements HcaObject {
    private final String kind;
    private final byte[] output;
    private final int number = nextNumber++;

    FakeObject(String kind, byte[] output) {
      this.kind = kind;
      this.output = output;
      log.add("create " + kind);
    }

    @Override
    public int number() {
      if (last.contains(kind)) {
        throw new OutOfMemoryError("as the test says");
      }
      return number;
    }

    @Override
    public byte[] output() {
      return output;
    }

    @Override
    public byte[] modify(byte[] command) {
      byte[] output = accept(command, CmdOut.STRUCTURE);
      onModify.accept(View.over(command));
      return output;
    }

    @Override
    public byte[] query(byte[] command) {
      accept(command, CmdOut.STRUCTURE);
      return queryQp;
    }

    @Override
    public void close() {
      if (busy.contains(kind)) {
        throw failure("DESTROY_" + kind, CommandStatus.RES_BUSY);
      }
      log.add("close " + kind);
    }
  }

  /** A diagnosis that has one explanation for everything. */
  private final class FakeDiagnosis implements HcaDiagnosis {
    private List<String> nothing() {
      if (isLost) {
        throw new DeviceLostException("lost");
      }
      return List.of();
    }

    @Override
    public Optional<String> explain(int cqn, int index) {
      return Optional.ofNullable(explanation)
          .map(text -> "CQ 0x%x entry %d: %s".formatted(cqn, index, text));
    }

    @Override
    public List<String> explanations() {
      return nothing();
    }

    @Override
    public List<HcaHappening> happenings() {
      return List.of();
    }

    @Override
    public void trace(boolean on) {}

    @Override
    public List<String> objects() {
      return nothing();
    }
  }

  /** A channel into which a test puts events. */
  final class FakeChannel extends QueuedEventChannel {
    /** Subscriptions: object number (0 for the device), type, cookie. */
    final List<long[]> subscriptions = new ArrayList<>();

    boolean closed;

    void raise(int type, int number, int syndrome) {
      for (long[] subscription : subscriptions) {
        if (subscription[0] == number && subscription[1] == type) {
          offer(new HcaEvent(type, number, syndrome, subscription[2]));
        }
      }
    }

    @Override
    public void subscribe(HcaObject object, int type, long cookie) {
      if (refusedChannels.test(this)) {
        throw failure("subscription", CommandStatus.LIM_ERR);
      }
      subscriptions.add(new long[] {object == null ? 0 : object.number(), type, cookie});
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** The closed objects, in order. */
  Deque<String> closings() {
    Deque<String> closings = new ArrayDeque<>();
    for (String entry : log) {
      if (entry.startsWith("close ")) {
        closings.add(entry.substring(6));
      }
    }
    return closings;
  }
}
