package dev.bluebell.spark;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.jspecify.annotations.Nullable;

/** A stand-in for Spark's own transfer: returns an executor's endpoint, and records requests. */
final class OtherTransfer extends BlockStoreClient {
  private final Map<String, Supplier<ByteBuffer>> blocks = new ConcurrentHashMap<>();
  private final List<String> asked = new ArrayList<>();

  void has(String id, Supplier<ByteBuffer> content) {
    blocks.put(id, content);
  }

  /** The blocks that were asked for, without the one that says where an executor listens. */
  synchronized List<String> asked() {
    return List.copyOf(asked);
  }

  private synchronized void note(String id) {
    if (!id.equals(Endpoint.BLOCK.name())) {
      asked.add(id);
    }
  }

  @Override
  public void fetchBlocks(
      String host,
      int port,
      String execId,
      String[] blockIds,
      BlockFetchingListener listener,
      @Nullable DownloadFileManager files) {
    for (String id : blockIds) {
      note(id);
      Supplier<ByteBuffer> content = blocks.get(id);
      if (Thread.currentThread().isInterrupted()) {
        // Spark's transfer may have to connect first, and waits for that.
        listener.onBlockFetchFailure(id, new InterruptedException());
      } else if (content == null) {
        listener.onBlockFetchFailure(id, new IllegalStateException("there is no " + id));
      } else {
        listener.onBlockFetchSuccess(id, new NioManagedBuffer(content.get()));
      }
    }
  }

  @Override
  public void close() {
    // It holds nothing.
  }
}
