/** The figures of the paper on NIC programs, and what virtual time makes of them. */
@NullMarked
package dev.bluebell.lab.paper;

import org.jspecify.annotations.NullMarked;
