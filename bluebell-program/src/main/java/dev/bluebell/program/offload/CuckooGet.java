package dev.bluebell.program.offload;

import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Field;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Looks a key up in a cuckoo hash table: a key has one possible bucket in the left table and one in
 * the right. The client sends both buckets, the program reads them in parallel, and answers with
 * the value of the one that has the key. If neither has it, there is no answer.
 *
 * <p>A bucket is 16 bytes: the key, zeros up to 8 bytes, and the address of the value. The host
 * fills the tables before it compiles the program.
 */
public final class CuckooGet {
  private static final int BUCKET_BYTES = 16;
  private static final int POINTER_OFFSET = 8;
  private static final int FREE = -1;
  private static final int MIX = 0x9e3779b9;
  private static final int HALF = 16;

  private final ProgramBuilder builder = new ProgramBuilder("cuckoo-get");
  private final List<Data> tables;
  private final Data values;
  private final Input<Kind.Bytes> key;
  private final List<Input<Kind.Pointer>> probes;
  private final int valueBytes;
  private final Program program;

  /** The inserted keys, by the number of their value. */
  private final List<byte[]> keys = new ArrayList<>();

  /** The number of the value in each bucket of each table. */
  private int[][] slots;

  /**
   * A table and its program.
   *
   * @param keyBytes length of keys, 1 … 8
   * @param valueBytes length of values
   * @param buckets number of buckets of each of the two tables
   */
  public CuckooGet(int keyBytes, int valueBytes, int buckets) {
    this.valueBytes = valueBytes;
    tables =
        List.of(
            builder.data("left", BUCKET_BYTES * buckets),
            builder.data("right", BUCKET_BYTES * buckets));
    values = builder.data("values", 2 * valueBytes * buckets);
    key = builder.bytes("key", keyBytes);
    probes = List.of(builder.pointer("left bucket"), builder.pointer("right bucket"));
    slots = new int[tables.size()][buckets];
    for (int[] table : slots) {
      Arrays.fill(table, FREE);
    }
    for (int side = 0; side < tables.size(); side++) {
      Loaded bucket = builder.load(tables.get(side), probes.get(side));
      Field<Kind.Bytes> found = bucket.bytes(0, keyBytes);
      Field<Kind.Pointer> value = bucket.pointer(POINTER_OFFSET);
      builder.when(Condition.equal(found, key), () -> builder.respond(values, value, valueBytes));
    }
    program = builder.build();
  }

  public Program program() {
    return program;
  }

  /**
   * Inserts a value into a bucket of its key. If the bucket is occupied, its entry moves to its own
   * other bucket, and so on.
   *
   * @return false when the moves form a cycle; the tables are unchanged then
   * @throws IllegalArgumentException when the key or the value has the wrong length, or the key is
   *     0, which stands for a free bucket
   */
  public boolean put(byte[] newKey, byte[] value) {
    Entries.checkKey(newKey, key.bytes(), "a free bucket");
    Entries.checkValue(value, valueBytes);
    int[][] moved = Arrays.stream(slots).map(int[]::clone).toArray(int[][]::new);
    keys.add(newKey.clone());
    int homeless = keys.size() - 1;
    int side = 0;
    for (int moves = 0; homeless != FREE && moves <= 2 * keys.size(); moves++) {
      int bucket = bucket(keys.get(homeless), side);
      int driven = moved[side][bucket];
      moved[side][bucket] = homeless;
      homeless = driven;
      side = 1 - side;
    }
    if (homeless != FREE) {
      keys.removeLast();
      return false;
    }
    slots = moved;
    values.put((keys.size() - 1) * valueBytes, value);
    write();
    return true;
  }

  private void write() {
    for (int side = 0; side < slots.length; side++) {
      for (int bucket = 0; bucket < slots[side].length; bucket++) {
        int number = slots[side][bucket];
        if (number != FREE) {
          int at = bucket * BUCKET_BYTES;
          tables
              .get(side)
              .put(at, keys.get(number))
              .put(at + POINTER_OFFSET, values.pointer(number * valueBytes));
        }
      }
    }
  }

  private int bucket(byte[] ofKey, int side) {
    int hash = Arrays.hashCode(ofKey);
    int own = side == 0 ? hash : Integer.rotateLeft(hash * MIX, HALF);
    return Math.floorMod(own, slots[side].length);
  }

  /**
   * The client's inputs for a key.
   *
   * @param addresses addresses of the program's data
   * @throws IllegalArgumentException when the key has the wrong length, or is 0, which stands for a
   *     free bucket
   */
  public Map<Input<?>, byte[]> call(byte[] wanted, Map<Data, Long> addresses) {
    Entries.checkKey(wanted, key.bytes(), "a free bucket");
    return Map.of(
        key,
        wanted,
        probes.get(0),
        address(wanted, 0, addresses),
        probes.get(1),
        address(wanted, 1, addresses));
  }

  private byte[] address(byte[] wanted, int side, Map<Data, Long> addresses) {
    long table = addresses.getOrDefault(tables.get(side), 0L);
    long address = table + (long) bucket(wanted, side) * BUCKET_BYTES;
    return ByteBuffer.allocate(Long.BYTES).putLong(address).array();
  }

  /** Work of a processor for a call: it reads both buckets, and the value of the matching one. */
  public List<byte[]> answer(Map<Input<?>, byte[]> inputs, Tables memory) {
    byte[] wanted = Objects.requireNonNull(inputs.get(key));
    long[] addresses =
        probes.stream().mapToLong(probe -> Tables.pointer(inputs.get(probe), 0)).toArray();
    for (byte[] bucket : memory.readAll(addresses, BUCKET_BYTES)) {
      if (Arrays.equals(bucket, 0, wanted.length, wanted, 0, wanted.length)) {
        return List.of(memory.read(Tables.pointer(bucket, POINTER_OFFSET), valueBytes));
      }
    }
    return List.of();
  }
}
