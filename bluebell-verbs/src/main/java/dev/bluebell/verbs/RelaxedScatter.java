package dev.bluebell.verbs;

/** The stage of RDMA READ in which the memory for the data is named, as {@link RequestScatter}. */
@CheckReturnValue
public interface RelaxedScatter extends RelaxedModifiers {

  /** Adds registered memory, as {@link RequestScatter#scatter}. */
  RelaxedScatter scatter(long address, int length, int lkey);
}
