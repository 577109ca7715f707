package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.allocated;
import static dev.bluebell.softnic.command.CommandFailure.require;
import static dev.bluebell.softnic.command.CommandFailure.requireUnused;
import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.CommandFormat;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.DomainCommands.AllocPdOut;
import dev.bluebell.hca.command.DomainCommands.DeallocPdIn;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.doorbell.Doorbells;
import dev.bluebell.softnic.doorbell.UarPage;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.option.Profile;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.translation.GuardedMemory;
import dev.bluebell.softnic.translation.Umem;
import dev.bluebell.softnic.transport.Network;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The firmware: executes PRM commands, and trusts nothing in them. Called by the thread that runs
 * the engine.
 */
public final class Firmware {
  private static final int HEADER_BYTES = 16;
  private static final String VANISHED =
      "memory of the object is gone, most likely because a mapped file was truncated";
  private static final Pattern ENDS = Pattern.compile("(DESTROY|DEALLOC|DRAIN)_.*|QP_2.*");

  private final Chip chip;
  private final Engine engine;
  private final Doorbells doorbells;
  private final Inventory inventory;
  private final MkeyCommands mkeys;
  private final MemicCommands memic;
  private final ClaimedCapabilities claimed;

  /** The executors of queries of the device itself, by opcode. */
  private final Map<Integer, UnaryOperator<View>> queries = new HashMap<>();

  /** The executors of commands about objects, by opcode. */
  private final Map<Integer, UnaryOperator<View>> objectCommands = new HashMap<>();

  public Firmware(
      Chip chip,
      Engine engine,
      Doorbells doorbells,
      Inventory inventory,
      Network network,
      Profile profile) {
    this.chip = chip;
    this.engine = engine;
    this.doorbells = doorbells;
    this.inventory = inventory;
    claimed = new ClaimedCapabilities(profile, inventory.port);
    mkeys = new MkeyCommands(engine, doorbells, inventory);
    memic = new MemicCommands(inventory.deviceMemory);
    PortCommands ports = new PortCommands(inventory.port, chip.counters());
    CounterCommands counters = new CounterCommands(chip);
    queries.put(
        CommandOpcode.QUERY_HCA_CAP,
        in -> HcaCommands.queryCapabilities(in, inventory.port, profile));
    queries.put(CommandOpcode.QUERY_ADAPTER, in -> HcaCommands.queryAdapter(profile));
    queries.put(CommandOpcode.QUERY_SPECIAL_CONTEXTS, in -> HcaCommands.querySpecialContexts());
    queries.put(CommandOpcode.QUERY_ROCE_ADDRESS, ports::roceAddress);
    queries.put(CommandOpcode.QUERY_HCA_VPORT_CONTEXT, ports::context);
    queries.put(CommandOpcode.QUERY_HCA_VPORT_GID, ports::gids);
    queries.put(CommandOpcode.QUERY_HCA_VPORT_PKEY, ports::partitionKeys);
    queries.put(CommandOpcode.MAD_IFC, new MadCommands(inventory.port, chip.counters())::answer);
    queries.put(CommandOpcode.QUERY_LAG, in -> HcaCommands.queryLag());
    queries.put(CommandOpcode.QUERY_VPORT_COUNTER, counters::queryTraffic);
    queries.put(CommandOpcode.QUERY_Q_COUNTER, counters::queryQueues);
    queries.put(CommandOpcode.QUERY_CONG_STATISTICS, counters::queryCongestion);
    CqCommands completionQueues = new CqCommands(chip, doorbells, inventory);
    RmpCommands receivePools = new RmpCommands(inventory);
    DctCommands targets = new DctCommands(chip, engine, inventory, network);
    XrqCommands tagMatchers = new XrqCommands(inventory);
    XrcCommands extended = new XrcCommands(inventory);
    QpCommands queuePairs = new QpCommands(chip, engine, doorbells, inventory, network);
    take(ObjectKind.PROTECTION_DOMAIN, in -> allocateDomain(), this::deallocateDomain);
    take(ObjectKind.DEVICE_MEMORY, memic::allocate, memic::deallocate);
    take(ObjectKind.MEMORY_KEY, mkeys::create, mkeys::destroy);
    take(ObjectKind.MEMORY_KEY.query(), mkeys::query);
    take(ObjectKind.COMPLETION_QUEUE, completionQueues::create, completionQueues::destroy);
    take(ObjectKind.COMPLETION_QUEUE.query(), completionQueues::query);
    take(ObjectKind.COMPLETION_QUEUE.modify(), completionQueues::modify);
    take(ObjectKind.RECEIVE_POOL, receivePools::create, receivePools::destroy);
    take(ObjectKind.RECEIVE_POOL.query(), receivePools::query);
    take(ObjectKind.RECEIVE_POOL.modify(), receivePools::modify);
    take(ObjectKind.DC_TARGET, targets::create, targets::destroy);
    take(ObjectKind.DC_TARGET.query(), targets::query);
    objectCommands.put(CommandOpcode.DRAIN_DCT, targets::drain);
    objectCommands.put(CommandOpcode.ARM_DCT_FOR_KEY_VIOLATION, targets::arm);
    take(ObjectKind.TAG_MATCHING_QUEUE, tagMatchers::create, tagMatchers::destroy);
    take(ObjectKind.TAG_MATCHING_QUEUE.query(), tagMatchers::query);
    take(ObjectKind.TAG_MATCHING_QUEUE.modify(), tagMatchers::arm);
    take(ObjectKind.XRC_DOMAIN, in -> extended.allocateDomain(), extended::deallocateDomain);
    take(ObjectKind.XRC_SRQ, extended::create, extended::destroy);
    take(ObjectKind.XRC_SRQ.query(), extended::query);
    take(ObjectKind.XRC_SRQ.modify(), extended::arm);
    take(ObjectKind.QUEUE_PAIR, queuePairs::create, queuePairs::destroy);
    take(ObjectKind.QUEUE_PAIR.query(), queuePairs::query);
    take(ObjectKind.QUEUE_PAIR.modify(), in -> queuePairs.transit(in, in.getInt(CmdIn.OPCODE)));
    MulticastCommands groups = new MulticastCommands(engine, inventory);
    objectCommands.put(CommandOpcode.ATTACH_TO_MCG, groups::attach);
    objectCommands.put(CommandOpcode.DETACH_FROM_MCG, groups::detach);
  }

  private void take(ObjectKind kind, UnaryOperator<View> create, UnaryOperator<View> destroy) {
    objectCommands.put(kind.create(), create);
    objectCommands.put(kind.destroy(), destroy);
  }

  private void take(Set<Integer> opcodes, UnaryOperator<View> executor) {
    opcodes.forEach(opcode -> objectCommands.put(opcode, executor));
  }

  /** The answer to a command: the output, and an explanation when its status is not OK. */
  public record Answer(byte[] output, String explanation) {

    public boolean isOk() {
      return View.over(output).getInt(CmdOut.STATUS) == CommandStatus.OK;
    }
  }

  static View ok() {
    return View.of(CmdOut.STRUCTURE, HEADER_BYTES - CmdOut.STRUCTURE.bytes());
  }

  /**
   * Executes a command of any bytes; errors are reported in the answer. A client can truncate the
   * memory of its queues, and the JVM throws an InternalError where a native process gets SIGBUS.
   */
  public Answer execute(byte[] command) {
    return execute(command, this::dispatch);
  }

  /**
   * Executes an ALLOC_MEMIC command.
   *
   * @param window the bytes of the BAR for this allocation, page-aligned and of the BAR's size; the
   *     device uses the allocated part until it is freed
   */
  public Answer allocateDeviceMemory(byte[] command, MemorySegment window) {
    return execute(
        command,
        in -> {
          require(
              in.getInt(CmdIn.OPCODE) == CommandOpcode.ALLOC_MEMIC,
              CommandStatus.BAD_OP,
              "opcode 0x%x does not allocate device memory",
              in.getInt(CmdIn.OPCODE));
          return memic.allocate(in, window);
        });
  }

  private Answer execute(byte[] command, Function<View, View> executor) {
    View in = View.over(command);
    int opcode = in.getInt(CmdIn.OPCODE);
    // The command did not cause the fault of other work.
    Memory.dropFault();
    try {
      require(
          command.length >= HEADER_BYTES,
          CommandStatus.BAD_INP_LEN,
          "the command has %d bytes; its header alone has 16",
          command.length);
      CommandFormat.of(opcode)
          .ifPresent(
              format ->
                  require(
                      command.length >= format.input().bytes(),
                      CommandStatus.BAD_INP_LEN,
                      "%s has %d bytes, not %d",
                      CommandOpcode.name(opcode),
                      format.input().bytes(),
                      command.length));
      View out = executor.apply(in);
      // The fault of a command that ends an object changes nothing: the object has ended.
      if (ENDS.matcher(CommandOpcode.name(opcode)).matches()) {
        Memory.dropFault();
      } else {
        Memory.raiseFault();
      }
      chip.recorder().record(HcaHappening.COMMAND, opcode, 0, CommandStatus.OK);
      return new Answer(out.bytes(), "");
    } catch (CommandFailure failure) {
      return refused(opcode, failure);
    } catch (InternalError gone) {
      return refused(opcode, new CommandFailure(CommandStatus.INT_ERR, VANISHED));
    }
  }

  private Answer refused(int opcode, CommandFailure failure) {
    chip.recorder().record(HcaHappening.COMMAND, opcode, 0, failure.status());
    return refused(CommandOpcode.name(opcode), failure);
  }

  private Answer refused(String what, CommandFailure failure) {
    chip.explanations().add(what + ": " + failure.explanation());
    return new Answer(
        ok().set(CmdOut.STATUS, failure.status()).set(CmdOut.SYNDROME, failure.syndrome()).bytes(),
        failure.explanation());
  }

  /** True for the opcode of a query of the device itself. */
  public boolean isQuery(int opcode) {
    return queries.containsKey(opcode);
  }

  // A dead device still executes commands that free objects, because these live in clients' memory.
  private void requireAlive(int opcode) {
    Faults faults = chip.faults();
    require(
        faults == null || !faults.isDead() || ENDS.matcher(CommandOpcode.name(opcode)).matches(),
        CommandStatus.INT_ERR,
        "the device is dead because of an injected fault (device)");
  }

  private View dispatch(View in) {
    int opcode = in.getInt(CmdIn.OPCODE);
    requireAlive(opcode);
    UnaryOperator<View> query = queries.get(opcode);
    if (query != null) {
      return query.apply(in);
    }
    UnaryOperator<View> executor = objectCommands.get(opcode);
    if (executor == null) {
      throw new CommandFailure(
          CommandStatus.BAD_OP, "opcode 0x%x is not supported by this device".formatted(opcode));
    }
    claimed.check(in);
    return executor.apply(in);
  }

  private View allocateDomain() {
    int number = allocated(inventory.domains, "all %d protection domains are in use");
    inventory.domains.put(number, new ProtectionDomain(number, chip.scheduler().client()));
    return View.of(AllocPdOut.STRUCTURE).set(AllocPdOut.PD, number);
  }

  private View deallocateDomain(View in) {
    int number = in.getInt(DeallocPdIn.PD);
    ProtectionDomain domain = inventory.domain(number);
    requireUnused(
        domain.users(),
        "PD 0x%x still has queue pairs, shared receive queues or memory keys (%d); close them"
            + " first",
        number);
    inventory.domains.remove(number);
    return ok();
  }

  // ---- requests of user space to the kernel, for which there is no command

  /** Makes a UAR page. */
  public UarPage allocateUar() {
    return allocateUar(UarPage::new);
  }

  /** Makes a UAR page in existing memory. */
  public UarPage allocateUar(MemorySegment memory) {
    return allocateUar(number -> new UarPage(number, memory));
  }

  private UarPage allocateUar(IntFunction<UarPage> make) {
    int number = allocated(inventory.uarPages, "all %d UAR pages are in use");
    UarPage page = make.apply(number);
    inventory.uarPages.put(number, page);
    doorbells.add(page, engine.client());
    return page;
  }

  /** Takes the last doorbells of a page, and stops polling it. */
  public void silenceUar(UarPage page) {
    doorbells.silence(page);
    // The fault of a page that ends changes nothing.
    Memory.dropFault();
  }

  public void deallocateUar(UarPage page) {
    requireUnused(
        page.users(), "UAR page %d still serves queues (%d); close them first", page.number());
    doorbells.remove(page);
    inventory.uarPages.remove(page.number());
  }

  /** Registers memory as a umem. */
  public Umem registerUmem(MemorySegment memory) {
    Umem umem = new Umem(allocateUmem(), memory);
    inventory.umems.put(umem.number(), umem);
    return umem;
  }

  /**
   * Registers memory of another process as a umem.
   *
   * @param from address of the first byte in that process
   */
  public Umem registerForeignUmem(HcaForeignMemory memory, long from, long length) {
    requireAddresses(from, length);
    Umem umem = Umem.foreign(allocateUmem(), guarded(memory), from, length);
    inventory.umems.put(umem.number(), umem);
    return umem;
  }

  private int allocateUmem() {
    return allocated(inventory.umems, "all %d umems are in use (log_max_umem)");
  }

  public void deregisterUmem(Umem umem) {
    requireUnused(
        umem.users(),
        "umem %d still holds %d queues or memory keys; close them first",
        umem.number());
    inventory.umems.remove(umem.number());
  }

  /** Registers memory for work requests; returns its key. */
  public int registerMemory(int pd, MemorySegment memory, long start, int access) {
    return mkeys.register(pd, new Umem(0, memory), start, access);
  }

  /**
   * Registers memory of another process for work requests; returns its key.
   *
   * @param from address of the first byte in that process
   */
  public int registerForeignMemory(
      int pd, HcaForeignMemory memory, long from, long length, long start, int access) {
    return mkeys.register(pd, foreign(memory, from, length), start, access);
  }

  /** Changes the memory or the rights of a key of {@link #registerForeignMemory}. */
  public void reregisterForeignMemory(
      int key, int pd, HcaForeignMemory memory, long from, long length, long start, int access) {
    mkeys.reregister(key, pd, foreign(memory, from, length), start, access);
  }

  private Umem foreign(HcaForeignMemory memory, long from, long length) {
    requireAddresses(from, length);
    return Umem.foreign(0, guarded(memory), from, length);
  }

  private HcaForeignMemory guarded(HcaForeignMemory memory) {
    return new GuardedMemory(memory, engine.client(), engine.copies());
  }

  private static void requireAddresses(long from, long length) {
    requireValid(
        length >= 0 && from >= 0 && from <= Long.MAX_VALUE - length,
        "no process has %d bytes of memory at 0x%x",
        length,
        from);
  }

  /** Runs a call that is not a command, and returns a refusal as an answer. */
  public Answer attempt(String what, Runnable call) {
    // The call did not cause the fault of other work.
    Memory.dropFault();
    try {
      call.run();
      Memory.raiseFault();
      return new Answer(ok().bytes(), "");
    } catch (CommandFailure failure) {
      return refused(what, failure);
    } catch (InternalError gone) {
      return refused(what, new CommandFailure(CommandStatus.INT_ERR, VANISHED));
    }
  }
}
