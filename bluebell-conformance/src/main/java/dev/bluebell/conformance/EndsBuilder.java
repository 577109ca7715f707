package dev.bluebell.conformance;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePairBuilder;
import java.util.function.UnaryOperator;

/** Builder of two queue pairs that are connected to each other. */
final class EndsBuilder {
  private final Bench bench;
  private int entries = 1024;
  private CompletionQueueOptions cqOptions = CompletionQueueOptions.DEFAULT;
  private UnaryOperator<RcQueuePairBuilder> left = UnaryOperator.identity();
  private UnaryOperator<RcQueuePairBuilder> right = UnaryOperator.identity();
  private UnaryOperator<ConnectOptions> leftOptions = UnaryOperator.identity();
  private UnaryOperator<ConnectOptions> rightOptions = UnaryOperator.identity();

  EndsBuilder(Bench bench) {
    this.bench = bench;
  }

  /** Size of the completion queues on both sides; default 1024. */
  EndsBuilder entries(int count) {
    entries = count;
    return this;
  }

  /** Bytes of a CQE on both sides; default 64. */
  EndsBuilder cqeBytes(int bytes) {
    cqOptions = cqOptions.withCqeBytes(bytes);
    return this;
  }

  EndsBuilder left(UnaryOperator<RcQueuePairBuilder> plan) {
    left = plan;
    return this;
  }

  EndsBuilder right(UnaryOperator<RcQueuePairBuilder> plan) {
    right = plan;
    return this;
  }

  /** The same plan for both sides. */
  EndsBuilder both(UnaryOperator<RcQueuePairBuilder> plan) {
    return left(plan).right(plan);
  }

  EndsBuilder leftOptions(UnaryOperator<ConnectOptions> options) {
    leftOptions = options;
    return this;
  }

  EndsBuilder rightOptions(UnaryOperator<ConnectOptions> options) {
    rightOptions = options;
    return this;
  }

  /** The same options for both sides. */
  EndsBuilder options(UnaryOperator<ConnectOptions> options) {
    return leftOptions(options).rightOptions(options);
  }

  /** Creates both and connects neither. */
  Ends create() {
    return new Ends(end(left), end(right));
  }

  /** Creates both and connects them. */
  Ends connect() {
    Ends ends = create();
    connect(ends);
    return ends;
  }

  /** Connects two queue pairs that are in the INIT state. */
  void connect(Ends ends) {
    ends.right()
        .queuePair()
        .connect(ends.left().queuePair().endpoint(), rightOptions.apply(ConnectOptions.DEFAULT));
    ends.left()
        .queuePair()
        .connect(ends.right().queuePair().endpoint(), leftOptions.apply(ConnectOptions.DEFAULT));
  }

  private End end(UnaryOperator<RcQueuePairBuilder> plan) {
    ProtectionDomain domain = bench.domain();
    CompletionQueue completions = bench.device().createCompletionQueue(entries, cqOptions);
    return new End(
        bench, domain, completions, plan.apply(domain.rcQueuePair(completions)).create());
  }
}
