package dev.bluebell.program.offload;

import dev.bluebell.program.Buffer;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Looks a key up in a hash table: the client sends the buckets that may have it, and receives the
 * value from the one that does. If none of them has the key, there is no answer.
 *
 * <p>A bucket is 16 bytes: the key, zeros up to 8 bytes, and the address of the value. The host
 * fills the table before it compiles the program.
 */
public final class HashGet {
  private static final int BUCKET_BYTES = 16;
  private static final int POINTER_OFFSET = 8;

  /** How the program reads the second and further buckets. */
  public enum Probing {
    /** In parallel. */
    PARALLEL,
    /** One after the other: a bucket is read only if no earlier one has the key. */
    SEQUENTIAL
  }

  /** How the client receives the value. */
  public enum Answer {
    /** As a message, which consumes the next receive. */
    SENT,
    /** As a WRITE to the client's buffer, with a completion for the client. */
    WRITTEN
  }

  private final ProgramBuilder builder = new ProgramBuilder("hash-get");
  private final Data buckets;
  private final Data values;
  private final Input<Kind.Bytes> key;
  private final List<Input<Kind.Pointer>> probes;
  private final int valueBytes;
  private final Probing probing;
  private final Consumer<Field<Kind.Pointer>> answer;
  private final Program program;
  private int used;

  /**
   * Creates a table and its program.
   *
   * @param keyBytes length of keys, 1 … 8
   * @param valueBytes length of values
   * @param bucketCount number of buckets, and of values that the table has room for
   * @param probeCount number of consecutive buckets that may have a key
   */
  public HashGet(int keyBytes, int valueBytes, int bucketCount, int probeCount, Probing probing) {
    this(keyBytes, valueBytes, bucketCount, probeCount, probing, Answer.SENT);
  }

  /** As the other constructor, with the given delivery of values. */
  public HashGet(
      int keyBytes, int valueBytes, int bucketCount, int probeCount, Probing probing, Answer how) {
    this.valueBytes = valueBytes;
    this.probing = probing;
    buckets = builder.data("buckets", BUCKET_BYTES * bucketCount);
    values = builder.data("values", valueBytes * bucketCount);
    key = builder.bytes("key", keyBytes);
    answer = answer(how);
    probes = new ArrayList<>();
    for (int i = 0; i < probeCount; i++) {
      probes.add(builder.pointer("bucket" + i));
    }
    if (probing == Probing.PARALLEL) {
      probes.forEach(bucket -> probe(bucket, () -> {}));
    } else {
      probeFrom(0);
    }
    program = builder.build();
  }

  private Consumer<Field<Kind.Pointer>> answer(Answer how) {
    if (how == Answer.SENT) {
      return value -> builder.respond(values, value, valueBytes);
    }
    Buffer buffer = builder.buffer("answer", valueBytes);
    return value -> builder.respondInto(buffer, values, value, valueBytes);
  }

  private void probeFrom(int number) {
    if (number < probes.size()) {
      probe(probes.get(number), () -> probeFrom(number + 1));
    }
  }

  private void probe(Input<Kind.Pointer> at, Runnable otherwise) {
    Loaded bucket = builder.load(buckets, at);
    Field<Kind.Bytes> found = bucket.bytes(0, key.bytes());
    Field<Kind.Pointer> value = bucket.pointer(POINTER_OFFSET);
    builder.when(Condition.equal(found, key), () -> answer.accept(value), otherwise);
  }

  public Program program() {
    return program;
  }

  /**
   * Inserts a value into the first free bucket for its key.
   *
   * @throws IllegalArgumentException when the key or the value has the wrong length, or the key is
   *     0, which stands for a free bucket
   * @throws IllegalStateException when no bucket is free
   */
  public void put(byte[] newKey, byte[] value) {
    Entries.checkKey(newKey, key.bytes(), "a free bucket");
    Entries.checkValue(value, valueBytes);
    int at =
        free(newKey)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "no bucket of this key is free; use more buckets or more probes"));
    values.put(used * valueBytes, value);
    buckets.put(at, newKey).put(at + POINTER_OFFSET, values.pointer(used * valueBytes));
    used++;
  }

  /** True when a bucket for a key is free. */
  public boolean hasRoom(byte[] ofKey) {
    return free(ofKey).isPresent();
  }

  /** Offset of the first free bucket for a key. */
  private OptionalInt free(byte[] ofKey) {
    return IntStream.range(0, probes.size())
        .map(probe -> bucket(ofKey, probe) * BUCKET_BYTES)
        .filter(at -> !buckets.pointers().containsKey(at + POINTER_OFFSET))
        .findFirst();
  }

  private int bucket(byte[] ofKey, int probe) {
    return Math.floorMod(Arrays.hashCode(ofKey) + probe, buckets.bytes() / BUCKET_BYTES);
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
    Map<Input<?>, byte[]> inputs = new HashMap<>();
    inputs.put(key, wanted);
    long base = addresses.getOrDefault(buckets, 0L);
    for (int probe = 0; probe < probes.size(); probe++) {
      long address = base + (long) bucket(wanted, probe) * BUCKET_BYTES;
      inputs.put(probes.get(probe), ByteBuffer.allocate(Long.BYTES).putLong(address).array());
    }
    return inputs;
  }

  /** Work of a processor for a call: it reads buckets, and the value of the one with the key. */
  public List<byte[]> answer(Map<Input<?>, byte[]> inputs, Tables tables) {
    byte[] wanted = Objects.requireNonNull(inputs.get(key));
    long[] addresses =
        probes.stream().mapToLong(probe -> Tables.pointer(inputs.get(probe), 0)).toArray();
    if (probing == Probing.PARALLEL) {
      for (byte[] bucket : tables.readAll(addresses, BUCKET_BYTES)) {
        if (has(bucket, wanted)) {
          return value(bucket, tables);
        }
      }
      return List.of();
    }
    for (long address : addresses) {
      byte[] bucket = tables.read(address, BUCKET_BYTES);
      if (has(bucket, wanted)) {
        return value(bucket, tables);
      }
    }
    return List.of();
  }

  private static boolean has(byte[] bucket, byte[] wanted) {
    return Arrays.equals(bucket, 0, wanted.length, wanted, 0, wanted.length);
  }

  private List<byte[]> value(byte[] bucket, Tables tables) {
    return List.of(tables.read(Tables.pointer(bucket, POINTER_OFFSET), valueBytes));
  }
}
