package dev.bluebell.spark;

import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;

/** A block that was read into a {@link BlockBuffer}. */
final class FetchedBlock extends ManagedBuffer {
  private final BlockBuffer buffer;
  private final ByteBuffer bytes;

  FetchedBlock(BlockBuffer buffer, long offset, int length) {
    this.buffer = buffer;
    bytes = buffer.region().segment().asSlice(offset, length).asByteBuffer();
  }

  @Override
  public long size() {
    return bytes.remaining();
  }

  @Override
  public ByteBuffer nioByteBuffer() {
    return bytes.duplicate();
  }

  @Override
  public InputStream createInputStream() throws IOException {
    return new NioManagedBuffer(bytes).createInputStream();
  }

  @Override
  public ManagedBuffer retain() {
    buffer.retain();
    return this;
  }

  @Override
  public ManagedBuffer release() {
    buffer.release();
    return this;
  }

  @Override
  public Object convertToNetty() {
    return Unpooled.wrappedBuffer(bytes.duplicate());
  }

  @Override
  public Object convertToNettyForSsl() {
    return convertToNetty();
  }
}
