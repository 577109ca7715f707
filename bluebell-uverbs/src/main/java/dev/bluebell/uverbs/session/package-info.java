/** An open device file: its objects by their handles, its pages, its events and its clock. */
@NullMarked
package dev.bluebell.uverbs.session;

import org.jspecify.annotations.NullMarked;
