package dev.bluebell.examples.keyvalue;

import dev.bluebell.connect.Connections;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.examples.shared.Idle;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A client of a {@link KeyValueServer}. The client does all the work: it reads a bucket, locks it
 * with a compare-and-swap, and writes it. The server's processor is not involved.
 */
public final class RdmaKeyValueStore implements KeyValueStore {
  private static final int DONE = 1;
  private static final int SWAPPED = Bucket.BYTES;

  private final ProtectionDomain domain;
  private final MemoryRegion memory;
  private final CompletionQueue completions;
  private final RdmaConnection connection;
  private final RcQueuePair queuePair;
  private final RemoteMemory table;
  private final int owner;
  private final Bucket bucket;
  private final Idle idle = new Idle();
  private @Nullable IOException failure;

  /** Connects to a server. */
  public RdmaKeyValueStore(Device device, InetSocketAddress server) throws IOException {
    domain = device.allocateProtectionDomain();
    memory = domain.allocate(Bucket.BYTES + Long.BYTES, Access.LOCAL_WRITE);
    completions = device.createCompletionQueue(16);
    bucket = new Bucket(memory.segment().asSlice(0, Bucket.BYTES));
    try {
      connection =
          Connections.tcp()
              .client(server)
              .connect(() -> domain.rcQueuePair(completions).create(), Offer.NOTHING);
    } catch (IOException e) {
      // The caller gets no object that it could close.
      closeObjects();
      throw e;
    }
    queuePair = connection.queuePair();
    table = connection.offer().memory().getFirst();
    owner = ByteBuffer.wrap(connection.offer().privateData()).getInt();
  }

  @Override
  public byte @Nullable [] get(long key) throws IOException {
    KeyValueStore.check(key, null);
    read(bucketOf(key));
    return bucket.value(key);
  }

  @Override
  public boolean put(long key, byte[] value) throws IOException {
    KeyValueStore.check(key, Objects.requireNonNull(value));
    return change(key, value);
  }

  @Override
  public boolean remove(long key) throws IOException {
    KeyValueStore.check(key, null);
    return change(key, null);
  }

  private RemoteMemory bucketOf(long key) {
    return table.slice(Bucket.offset(key, table.length()), Bucket.BYTES);
  }

  // One READ, repeated if other clients wrote meanwhile and the copy is torn.
  private void read(RemoteMemory remote) throws IOException {
    requireUsable();
    do {
      queuePair.read(remote).scatter(memory, 0, Bucket.BYTES).signaled(DONE);
      await();
    } while (!bucket.isWhole());
  }

  private boolean change(long key, byte @Nullable [] value) throws IOException {
    RemoteMemory remote = bucketOf(key);
    while (true) {
      read(remote);
      long word = bucket.word();
      if (Bucket.owner(word) != 0) {
        // Another client is changing it. If that client has died, the server unlocks it.
        Thread.yield();
      } else if (!bucket.change(key, value)) {
        return false;
      } else if (lock(remote, word)) {
        write(remote);
        return true;
      }
    }
  }

  private boolean lock(RemoteMemory remote, long word) throws IOException {
    queuePair
        .compareAndSwap(remote, word, Bucket.locked(word, owner))
        .scatter(memory, SWAPPED)
        .signaled(DONE);
    await();
    return memory.segment().get(ValueLayout.JAVA_LONG, SWAPPED) == word;
  }

  // A reliable connection writes in order: first the copy, then the word that makes it count.
  private void write(RemoteMemory remote) throws IOException {
    int copy = Bucket.copyOf(bucket.word());
    queuePair
        .write(remote.slice(copy, Bucket.COPY_BYTES))
        .gather(memory, copy, Bucket.COPY_BYTES)
        .unsignaled(0);
    queuePair.write(remote).gather(memory, 0, Long.BYTES).signaled(DONE);
    await();
  }

  private void await() throws IOException {
    queuePair.ringDoorbell();
    try {
      idle.poll(completions, this::take);
    } catch (InterruptedIOException e) {
      // The request is still outstanding: its completion would end the wait for the next one.
      failure = e;
    }
    requireUsable();
  }

  private void requireUsable() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  private void take(Completion completion) {
    if (!completion.isSuccess()) {
      failure = new IOException("%s: %s".formatted(completion.status(), completion.explanation()));
    }
  }

  @Override
  public void close() {
    connection.close();
    closeObjects();
  }

  private void closeObjects() {
    completions.close();
    memory.close();
    domain.close();
  }
}
