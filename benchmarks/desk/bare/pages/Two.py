"""A page of the bare app."""

import streamlit as st

st.set_page_config(layout="wide")
st.title("Two")
st.caption("A page with little on it.")
st.text_input("A field")
