package dev.bluebell.program.offload;

import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Program;
import dev.bluebell.program.offload.HashGet.Answer;
import dev.bluebell.program.offload.HashGet.Probing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The available services. */
public final class Offloads {
  private static final int VALUE_BYTES = 64;
  private static final int BUCKETS = 16;
  private static final int PROBES = 3;
  private static final int STEPS = 8;
  private static final int ENTRIES = 16;
  private static final int LOG_PAGES = 3;
  private static final int PAGE_BYTES = 64;
  private static final int CLIENTS = 3;
  private static final int REPLICAS = 3;
  private static final int STATES = 3;
  private static final int SYMBOLS = 2;
  private static final int TAPE = 33;

  private static final List<Offload> ALL =
      List.of(
          hashGet("hash-get-24", 3, Probing.SEQUENTIAL),
          hashGet("hash-get-48", 6, Probing.SEQUENTIAL),
          hashGet("hash-get-56", 7, Probing.SEQUENTIAL),
          hashGet("hash-get-parallel", 6, Probing.PARALLEL),
          new Offload(
              "hash-get-write",
              "Looks up a key of 48 bits in a hash table, in %d buckets, and writes the value straight into the client's buffer."
                  .formatted(PROBES),
              random -> hashGet(6, Probing.SEQUENTIAL, Answer.WRITTEN, random)),
          new Offload(
              "cuckoo-get",
              "Looks up a key of 48 bits in a cuckoo hash table, in both its buckets at once.",
              Offloads::cuckooGet),
          new Offload(
              "list-walk",
              "Follows a linked list of up to %d nodes to a key of 48 bits.".formatted(STEPS),
              random -> listWalk(false, random)),
          new Offload(
              "list-walk-break",
              "Follows a linked list of up to %d nodes to a key of 48 bits, and stops there."
                  .formatted(STEPS),
              random -> listWalk(true, random)),
          new Offload(
              "indirect-read",
              "Reads the value that an entry of a directory points to.",
              Offloads::indirectRead),
          new Offload(
              "lock",
              "Takes a lock if it is free, and returns its holder.",
              random -> lock(Lock.Action.TAKE, random)),
          new Offload(
              "release",
              "Releases a lock if the client holds it, and returns its holder.",
              random -> lock(Lock.Action.RELEASE, random)),
          new Offload(
              "fetch-add",
              "Adds to a counter, and returns its previous value.",
              Offloads::fetchAdd),
          new Offload(
              "page-allocate",
              "Takes the next page from a ring of free pages.",
              random -> pages(PageAllocate.Action.TAKE, random)),
          new Offload(
              "page-free",
              "Returns a page to a ring of free pages.",
              random -> pages(PageAllocate.Action.FREE, random)),
          new Offload(
              "chain-write",
              "Writes a value to the first of %d replicas, which passes it to the next."
                  .formatted(REPLICAS),
              random -> chainWrite(REPLICAS, random)),
          new Offload(
              "chain-end",
              "Writes a value to the last replica of a chain, which answers the client.",
              random -> chainWrite(1, random)),
          new Offload(
              "turing",
              "Runs a Turing machine until it halts, and returns its tape.",
              Offloads::turing));

  private Offloads() {}

  public static List<Offload> all() {
    return ALL;
  }

  public static Optional<Offload> named(String name) {
    return ALL.stream().filter(offload -> offload.name().equals(name)).findFirst();
  }

  private static Offload hashGet(String name, int keyBytes, Probing probing) {
    return new Offload(
        name,
        "Looks up a key of %d bits in a hash table, in %d buckets, %s."
            .formatted(
                keyBytes * Byte.SIZE,
                PROBES,
                probing == Probing.PARALLEL ? "all at once" : "one after the other"),
        random -> hashGet(keyBytes, probing, Answer.SENT, random));
  }

  private static Example hashGet(int keyBytes, Probing probing, Answer how, Random random) {
    HashGet get = new HashGet(keyBytes, VALUE_BYTES, BUCKETS, PROBES, probing, how);
    Map<ByteBuffer, byte[]> map = new HashMap<>();
    byte[] wanted = key(keyBytes, random);
    for (int i = random.nextInt(BUCKETS); i > 0; i--) {
      byte[] key = random.nextInt(BUCKETS) == 0 ? wanted : key(keyBytes, random);
      byte[] value = bytes(VALUE_BYTES, random);
      if (!map.containsKey(ByteBuffer.wrap(key)) && get.hasRoom(key)) {
        get.put(key, value);
        map.put(ByteBuffer.wrap(key), value);
        wanted = random.nextBoolean() ? key : wanted;
      }
    }
    return lookup(get.program(), get::call, get::answer, wanted, map);
  }

  private static Example cuckooGet(Random random) {
    int keyBytes = 6;
    CuckooGet get = new CuckooGet(keyBytes, VALUE_BYTES, BUCKETS / 2);
    Map<ByteBuffer, byte[]> map = new HashMap<>();
    byte[] wanted = key(keyBytes, random);
    for (int i = random.nextInt(BUCKETS); i > 0; i--) {
      byte[] key = key(keyBytes, random);
      byte[] value = bytes(VALUE_BYTES, random);
      if (get.put(key, value)) {
        map.put(ByteBuffer.wrap(key), value);
        wanted = random.nextBoolean() ? key : wanted;
      }
    }
    return lookup(get.program(), get::call, get::answer, wanted, map);
  }

  private static Example listWalk(boolean breaks, Random random) {
    int keyBytes = 6;
    ListWalk walk = new ListWalk(keyBytes, VALUE_BYTES, STEPS, breaks);
    Map<ByteBuffer, byte[]> map = new HashMap<>();
    byte[] wanted = key(keyBytes, random);
    for (int i = random.nextInt(STEPS + 1); i > 0; i--) {
      byte[] key = key(keyBytes, random);
      byte[] value = bytes(VALUE_BYTES, random);
      walk.add(key, value);
      map.put(ByteBuffer.wrap(key), value);
      wanted = random.nextInt(2) == 0 ? key : wanted;
    }
    return lookup(walk.program(), walk::call, walk::answer, wanted, map);
  }

  /** Example of a lookup in a table whose content is also in a map. */
  private static Example lookup(
      Program program,
      BiFunction<byte[], Map<Data, Long>, Map<Input<?>, byte[]>> call,
      Routine routine,
      byte[] key,
      Map<ByteBuffer, byte[]> map) {
    return new Example(
        program, at -> call.apply(key, at), routine, at -> found(map.get(ByteBuffer.wrap(key))));
  }

  private static Example indirectRead(Random random) {
    IndirectRead read = new IndirectRead(ENTRIES, VALUE_BYTES);
    byte[][] values = new byte[ENTRIES][];
    for (int i = 0; i < ENTRIES; i++) {
      values[i] = bytes(VALUE_BYTES, random);
      read.put(i, values[i]);
    }
    int entry = random.nextInt(ENTRIES);
    return new Example(
        read.program(), at -> read.call(entry), read::answer, at -> found(values[entry]));
  }

  private static Example lock(Lock.Action action, Random random) {
    long holder = random.nextInt(CLIENTS);
    long client = 1L + random.nextInt(CLIENTS - 1);
    Lock lock = new Lock(action, holder);
    long after =
        switch (action) {
          case TAKE -> holder == 0 ? client : holder;
          case RELEASE -> holder == client ? 0 : holder;
        };
    return new Example(
        lock.program(),
        at -> lock.call(client),
        lock::answer,
        at -> List.of(Literal.number(after, Lock.OWNER_BYTES).content()));
  }

  private static Example fetchAdd(Random random) {
    long initial = random.nextLong();
    long addend = random.nextLong();
    FetchAdd counter = new FetchAdd(initial);
    return new Example(
        counter.program(),
        at -> counter.call(addend),
        counter::answer,
        at -> List.of(Literal.number(initial).content()));
  }

  private static Example pages(PageAllocate.Action action, Random random) {
    int count = 1 << LOG_PAGES;
    int next = random.nextInt(count);
    int free = random.nextInt(count + 1);
    PageAllocate pages = new PageAllocate(action, LOG_PAGES, PAGE_BYTES, next, free);
    // The slot of the call: the first that has a page, or the first after those that have one.
    int slot = action == PageAllocate.Action.TAKE ? next : next + free;
    boolean taken = action == PageAllocate.Action.TAKE ? free > 0 : free == count;
    return new Example(
        pages.program(),
        at -> pages.call(page(pages, at, next + free - 1)),
        pages::answer,
        at -> {
          long address = taken ? page(pages, at, slot) : 0;
          return List.of(ByteBuffer.allocate(Long.BYTES).putLong(address).array());
        });
  }

  private static long page(PageAllocate pages, Map<Data, Long> at, int number) {
    return at.getOrDefault(pages.pages(), 0L) + pages.offset(number);
  }

  /**
   * Example of a link with {@code replicas} replicas left, itself included; the addresses for the
   * others are only passed on.
   */
  private static Example chainWrite(int replicas, Random random) {
    ChainWrite.Link link = new ChainWrite(replicas, ENTRIES, VALUE_BYTES).links().getFirst();
    byte[] value = bytes(VALUE_BYTES, random);
    long slot = (long) random.nextInt(ENTRIES) * VALUE_BYTES;
    long next = random.nextLong();
    long tag = random.nextLong();
    Function<Map<Data, Long>, List<Long>> places =
        at ->
            Stream.iterate(next, last -> last + 1)
                .limit(replicas)
                .map(place -> place == next ? at.getOrDefault(link.table(), 0L) + slot : place)
                .toList();
    Function<Map<Data, Long>, Map<Input<?>, byte[]>> call =
        at -> link.call(value, places.apply(at), tag);
    return new Example(
        link.program(), call, link::answer, at -> List.of(link.message(value, call.apply(at))));
  }

  /**
   * Example of a machine that halts soon from every initial state; drawn repeatedly until one does.
   */
  private static Example turing(Random random) {
    while (true) {
      List<List<TuringMachine.Rule>> rules = new ArrayList<>();
      for (int state = 0; state < STATES; state++) {
        rules.add(List.of(rule(random), rule(random)));
      }
      int[] tape = random.ints(TAPE, 0, SYMBOLS).toArray();
      List<int[]> tapes = new ArrayList<>();
      for (int state = 0; state < STATES; state++) {
        tapes.add(tape.clone());
      }
      int start = random.nextInt(STATES);
      TuringMachine machine = new TuringMachine(rules, tape, TAPE / 2);
      if (IntStream.range(0, STATES).allMatch(state -> halts(rules, tapes.get(state), state))
          && !Arrays.equals(tape, tapes.get(start))) {
        byte[] answer = TuringMachine.answer(tapes.get(start));
        return new Example(
            machine.program(), at -> machine.call(start), machine::answer, at -> found(answer));
      }
    }
  }

  /** Runs a machine while its head can't leave the tape. */
  private static boolean halts(List<List<TuringMachine.Rule>> rules, int[] tape, int start) {
    int head = TAPE / 2;
    int state = start;
    for (int step = 0; state != TuringMachine.HALT; step++) {
      if (step == TAPE / 2) {
        return false;
      }
      TuringMachine.Rule rule = rules.get(state).get(tape[head]);
      tape[head] = rule.write();
      head += rule.move();
      state = rule.next();
    }
    return true;
  }

  private static TuringMachine.Rule rule(Random random) {
    return new TuringMachine.Rule(
        random.nextInt(SYMBOLS), random.nextInt(3) - 1, random.nextInt(STATES + 1) - 1);
  }

  private static List<byte[]> found(byte @Nullable [] value) {
    return value == null ? List.of() : List.of(value.clone());
  }

  /** A random key other than 0, which marks free places. */
  private static byte[] key(int keyBytes, Random random) {
    byte[] key = bytes(keyBytes, random);
    key[0] |= 1;
    return key;
  }

  private static byte[] bytes(int count, Random random) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
