/**
 * Litmus tests: small programs of processors and NICs, the results that the model of RDMA on TSO
 * allows, and those of the software ConnectX.
 */
@NullMarked
package dev.bluebell.lab.litmus;

import org.jspecify.annotations.NullMarked;
