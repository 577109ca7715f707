package dev.bluebell.spark;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache of mapped and registered map output files. The first request for a block of a file
 * registers it. A file stays registered while peers read it; of the others, the most recently used
 * ones stay. Thread-safe.
 */
final class RegisteredFiles {
  private static final Logger LOG = LoggerFactory.getLogger("dev.bluebell.spark");

  private final ProtectionDomain domain;
  private final int maxFiles;
  private final ShuffleCounters counters;
  private final Executor closing;

  /** Regions to be closed by one task, because the device deregisters one after the other. */
  private final Queue<MemoryRegion> ended = new ArrayDeque<>();

  private boolean isClosing;

  /** By path, in order of use, the most recently used last. */
  private final Map<String, RegisteredFile> files = new LinkedHashMap<>(64, 0.75f, true);

  /**
   * @param closing runs deregistrations, so that callers that release files do not wait for the
   *     device
   */
  RegisteredFiles(
      ProtectionDomain domain, int maxFiles, ShuffleCounters counters, Executor closing) {
    this.domain = domain;
    this.maxFiles = maxFiles;
    this.counters = counters;
    this.closing = closing;
  }

  /**
   * The identity of the file that a path named when it was registered: another file may replace it.
   */
  private record Identity(@Nullable Object key, long bytes, long modified) {
    static Identity of(File file) throws IOException {
      BasicFileAttributes now = Files.readAttributes(file.toPath(), BasicFileAttributes.class);
      return new Identity(
          now.fileKey(), now.size(), now.lastModifiedTime().to(TimeUnit.NANOSECONDS));
    }
  }

  /** A file and its memory; guarded by the files. */
  final class RegisteredFile {
    private final Identity identity;

    /** Run without a lock by the first caller that uses the file. */
    private final FutureTask<MemoryRegion> registration;

    private int readers;
    private boolean isDropped;

    private RegisteredFile(File file, Identity identity) {
      this.identity = identity;
      registration = new FutureTask<>(() -> register(file, identity.bytes));
    }

    MemoryRegion region() {
      return registration.resultNow();
    }

    /** False when its registration has ended. */
    boolean isOpen() {
      synchronized (RegisteredFiles.this) {
        return !isDropped || readers > 0;
      }
    }

    /** Ends the use that {@link #use} began. */
    void release() {
      synchronized (RegisteredFiles.this) {
        readers--;
        closeUnlessUsed();
      }
    }

    private void drop() {
      isDropped = true;
      closeUnlessUsed();
    }

    private void closeUnlessUsed() {
      if (isDropped && readers == 0 && registration.state() == Future.State.SUCCESS) {
        close(region());
      }
    }
  }

  /**
   * Registers a file unless it is registered, and keeps it registered until {@link
   * RegisteredFile#release()}. Waits for the device, but delays only callers that use the same
   * file.
   */
  RegisteredFile use(File file) throws IOException {
    RegisteredFile used = find(file, Identity.of(file));
    used.registration.run();
    try {
      used.registration.get();
      return used;
    } catch (ExecutionException e) {
      fail(file, used);
      throw new IOException("%s was not registered".formatted(file), e.getCause());
    } catch (InterruptedException e) {
      used.release();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  private synchronized RegisteredFile find(File file, Identity identity) {
    String path = file.getPath();
    RegisteredFile known = files.get(path);
    if (known != null && !Objects.equals(known.identity, identity)) {
      files.remove(path);
      known.drop();
      known = null;
    }
    if (known == null) {
      evict();
      known = new RegisteredFile(file, identity);
      files.put(path, known);
    }
    known.readers++;
    return known;
  }

  private synchronized void fail(File file, RegisteredFile failed) {
    files.remove(file.getPath(), failed);
    failed.release();
  }

  private MemoryRegion register(File file, long bytes) throws IOException {
    RegistrationEvent event = new RegistrationEvent();
    event.begin();
    try (FileChannel channel = FileChannel.open(file.toPath())) {
      // Any peer with the key can read, so grant only reads of the file, and only while it is used.
      MemoryRegion region =
          domain.register(
              channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes, Arena.ofAuto()),
              Access.REMOTE_READ);
      counters.registered(bytes);
      event.end(file.getPath(), bytes);
      return region;
    }
  }

  private synchronized void close(MemoryRegion region) {
    ended.add(region);
    if (!isClosing) {
      isClosing = true;
      try {
        closing.execute(this::closeEnded);
      } catch (OutOfMemoryError e) {
        // There is no thread for it now; the next task closes this region, too.
        isClosing = false;
      }
    }
  }

  private void closeEnded() {
    for (MemoryRegion region = nextEnded(); region != null; region = nextEnded()) {
      try {
        region.close();
      } catch (RuntimeException | OutOfMemoryError e) {
        LOG.warn("A map output file stays registered until the executor ends", e);
      }
    }
  }

  private synchronized @Nullable MemoryRegion nextEnded() {
    MemoryRegion region = ended.poll();
    isClosing = region != null;
    return region;
  }

  private void evict() {
    Iterator<RegisteredFile> oldest = files.values().iterator();
    while (files.size() >= maxFiles && oldest.hasNext()) {
      RegisteredFile file = oldest.next();
      if (file.readers == 0) {
        oldest.remove();
        file.drop();
      }
    }
  }

  /** Deregisters a file that is being deleted; if peers still read it, when they have finished. */
  synchronized void forget(File file) {
    RegisteredFile known = files.remove(file.getPath());
    if (known != null) {
      known.drop();
    }
  }

  /**
   * Deregisters all files once no peer can read any more; files that connections still hold, later.
   */
  synchronized void forgetAll() {
    files.values().forEach(RegisteredFile::drop);
    files.clear();
  }

  synchronized int size() {
    return files.size();
  }
}
