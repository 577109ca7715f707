package dev.bluebell.verbs.receive;

import dev.bluebell.verbs.DeviceAttributes;
import dev.bluebell.verbs.StridingReceiveQueue;
import dev.bluebell.verbs.StridingReceiveQueueBuilder;
import dev.bluebell.verbs.command.SharedReceiveShape;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.value.Ranges;
import dev.bluebell.verbs.value.Sizes;

/** Implements {@link StridingReceiveQueueBuilder}. */
public final class StridingReceiveQueueBuilderImpl implements StridingReceiveQueueBuilder {
  private static final int MIN_STRIDES = 8;
  private static final int MAX_STRIDES = 65536;
  private static final int MIN_STRIDE_BYTES = 64;
  private static final int MAX_STRIDE_BYTES = 8192;
  private final Domain domain;
  private int requests = 15;
  private int strides = 64;
  private int strideBytes = 4096;

  public StridingReceiveQueueBuilderImpl(Domain domain) {
    this.domain = domain;
  }

  @Override
  public StridingReceiveQueueBuilder requests(int count) {
    requests = Ranges.require("requests", count, 1, SharedReceiveShape.MAX_REQUESTS);
    return this;
  }

  @Override
  public StridingReceiveQueueBuilder strides(int count) {
    strides = Ranges.require("strides", count, MIN_STRIDES, MAX_STRIDES);
    return this;
  }

  @Override
  public StridingReceiveQueueBuilder strideBytes(int bytes) {
    strideBytes = Ranges.require("strideBytes", bytes, MIN_STRIDE_BYTES, MAX_STRIDE_BYTES);
    return this;
  }

  @Override
  public StridingReceiveQueue create() {
    domain.lifetime().requireOpen();
    DeviceAttributes attributes = domain.device().attributes();
    if (!attributes.stridingReceives()) {
      throw new IllegalStateException(
          domain.device() + " has no receive queues with strides (ib_striding_wq)");
    }
    SharedReceiveShape shape = SharedReceiveShape.of(requests, 1, attributes);
    return DeviceObject.create(
        domain.device(),
        () ->
            new StridingReceiveQueueImpl(
                domain,
                shape,
                Sizes.log2Ceiling(Math.max(strides, attributes.minStrides())),
                Sizes.log2Ceiling(strideBytes)));
  }
}
