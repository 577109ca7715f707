package dev.bluebell.spark;

import dev.bluebell.verbs.MemoryRegion;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.jspecify.annotations.Nullable;

/**
 * A group of blocks of one executor that are read together, at most as many as fit in a message.
 * Guarded by the lock of its connection.
 */
final class Fetch {
  private final List<String> ids;
  private final List<Block> blocks;
  private final BlockFetchingListener listener;
  private final FetchEvent event = new FetchEvent();

  /** The blocks that were read. */
  private final BitSet done = new BitSet();

  private List<Messages.Place> places = List.of();
  private long[] offsets = {};
  private @Nullable BlockBuffer buffer;

  /** The block whose READ is posted next. */
  int next;

  /**
   * @param ids as Spark names the blocks
   */
  Fetch(List<String> ids, List<Block> blocks, BlockFetchingListener listener) {
    this.ids = ids;
    this.blocks = blocks;
    this.listener = listener;
    event.begin();
  }

  List<Block> blocks() {
    return blocks;
  }

  BlockFetchingListener listener() {
    return listener;
  }

  List<Messages.Place> places() {
    return places;
  }

  /**
   * Takes the peer's answer.
   *
   * @return bytes of all blocks
   */
  long located(List<Messages.Place> answer) {
    if (answer.size() != ids.size()) {
      throw new IllegalArgumentException(
          "the peer answered with %d places for %d blocks".formatted(answer.size(), ids.size()));
    }
    places = answer;
    offsets = new long[answer.size() + 1];
    for (int i = 0; i < answer.size(); i++) {
      offsets[i + 1] = offsets[i] + answer.get(i).length();
    }
    return offsets[answer.size()];
  }

  void readInto(BlockBuffer memory) {
    buffer = memory;
  }

  BlockBuffer buffer() {
    if (buffer == null) {
      throw new IllegalStateException("the blocks have no buffer yet");
    }
    return buffer;
  }

  MemoryRegion region() {
    return buffer().region();
  }

  long offset(int block) {
    return offsets[block];
  }

  /** Records that a block was read; true when it was the last. */
  boolean finish(int block) {
    if (block >= ids.size() || done.get(block)) {
      throw new IllegalStateException("block %d was not being read".formatted(block));
    }
    done.set(block);
    return done.cardinality() == ids.size();
  }

  /** Passes a block that was read to Spark. Call it without the lock. */
  void deliver(int block, ShuffleCounters counters) {
    int length = places.get(block).length();
    counters.read(length);
    BlockBuffer memory = buffer();
    memory.retain();
    FetchedBlock fetched = new FetchedBlock(memory, offset(block), length);
    listener.onBlockFetchSuccess(ids.get(block), fetched);
    fetched.release();
  }

  /** Records the end of the fetch after the last block, and releases the buffer. */
  void end(String peer) {
    event.end(peer, ids.size(), offsets[ids.size()]);
    buffer().release();
  }

  /** Spark's ids of the blocks that were not read. */
  String[] unread() {
    return IntStream.range(0, ids.size())
        .filter(block -> !done.get(block))
        .mapToObj(ids::get)
        .toArray(String[]::new);
  }

  /**
   * Releases the buffer, if there is one, before all blocks were read.
   *
   * @param isQuiet whether the device no longer writes to it
   */
  void abandon(boolean isQuiet) {
    if (buffer != null) {
      if (!isQuiet) {
        buffer.spoil();
      }
      buffer.release();
    }
  }
}
