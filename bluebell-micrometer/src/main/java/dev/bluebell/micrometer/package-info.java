/** Metrics of RDMA devices. */
@NullMarked
package dev.bluebell.micrometer;

import org.jspecify.annotations.NullMarked;
